//! What the machine that this program runs on gives: files to read, memory to use.

pub mod files;
pub mod memory;

use std::ffi::OsStr;
use std::time::{SystemTime, UNIX_EPOCH};

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

/// The date of today in UTC, as in 2026-02-28.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after 1970-01-01, in the Gregorian calendar.
fn date(days: u64) -> String {
    // Years begin in March, so that a leap day is the last of its year; eras have 400 years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, late) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", 400 * era + year + late)
}

#[cfg(test)]
mod tests {
    use super::date;

    /// Every day of eight centuries follows the day before it, by the calendar's own rules.
    #[test]
    fn dates_follow_each_other() {
        let mut day = 0;
        for year in 1970..2770 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let february = if is_leap { 29 } else { 28 };
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                for of_month in 1..=length {
                    assert_eq!(date(day), format!("{year:04}-{month:02}-{of_month:02}"));
                    day += 1;
                }
            }
        }
    }
}
