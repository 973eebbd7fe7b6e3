//! This chapter has no exercises yet.
