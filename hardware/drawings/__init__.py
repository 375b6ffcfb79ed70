"""Pictures of boards, drawings for the workshop, and what is printed: all made from the boards."""
