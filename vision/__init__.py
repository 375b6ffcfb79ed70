"""Pictures in; what stands where, and how sure, out."""
