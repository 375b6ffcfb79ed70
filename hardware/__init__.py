"""The physical table: boards, drawings, firmware, the virtual table, the guide."""
