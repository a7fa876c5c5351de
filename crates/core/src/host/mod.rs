//! What the machine that this program runs on gives: files to read, memory to use.

pub mod files;
pub mod memory;

use std::ffi::OsStr;

/// The parts of a value that need not be text, as it may name a file, before and behind the first
/// `at`, an ASCII character.
pub fn split_once(value: &OsStr, at: u8) -> Option<(&OsStr, &OsStr)> {
    let bytes = value.as_encoded_bytes();
    let place = bytes.iter().position(|&byte| byte == at).filter(|_| at.is_ascii())?;
    // SAFETY: both are parts of what `as_encoded_bytes` gave, cut beside a non-empty UTF-8 text: one
    // ASCII character.
    let part = |bytes| unsafe { OsStr::from_encoded_bytes_unchecked(bytes) };
    Some((part(&bytes[..place]), part(&bytes[place + 1..])))
}
