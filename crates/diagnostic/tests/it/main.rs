//! The registry of codes, and diagnostics as text.

#![expect(clippy::needless_raw_string_hashes, reason = "`UPDATE_EXPECT=1` writes them")]

mod registry;
mod rendering;
