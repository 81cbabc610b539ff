//! Quantities as people write and read them: `30s`, `512MB`, `1,234,567`, `2 h ago`.
//!
//! ```
//! use ripple_query_api::cli::units::{bytes, parse_bytes, parse_duration, thousands};
//! assert_eq!(parse_duration("1.5s").map(|d| d.as_millis()), Ok(1500));
//! assert_eq!(parse_bytes("2GB"), Ok(2 << 30));
//! assert_eq!(thousands(1234567), "1,234,567");
//! assert_eq!(bytes(3 << 20), "3.0 MB");
//! ```

use std::time::Duration;

/// A span of time: a number and `ms`, `s`, `m` or `h`; without a unit, seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => {
            return Err(format!("unknown unit `{unit}`; write a number and ms, s, m or h: 30s"));
        }
    };
    let duration = Duration::try_from_secs_f64(seconds).map_err(|error| format!("`{text}`: {error}"))?;
    if duration < Duration::from_millis(1) {
        return Err("the shortest time is 1ms".into());
    }
    Ok(duration)
}

/// An amount of memory: a number and `KB`, `MB`, `GB` (of 1024) or nothing for bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1_u64,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => {
            return Err(format!("unknown unit `{unit}`; write a number and KB, MB or GB: 512MB"));
        }
    };
    let bytes = number * factor as f64;
    if bytes < 1.0 || bytes >= u64::MAX as f64 {
        return Err(format!("`{text}` is out of range"));
    }
    Ok(bytes as u64)
}

/// Digits in groups of three.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and a noun, in the plural where it belongs.
pub fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// An amount of memory, in the unit that reads best.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if number < 1024 {
        return format!("{number} B");
    }
    let mut value = number as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// How long ago, in the unit that reads best.
pub fn ago(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        _ => format!("{} ago", count(seconds / 86_400, "day")),
    }
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number = number
        .parse()
        .map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let check = |text: &str, expected: Option<u64>| {
            assert_eq!(
                parse_duration(text).ok().map(|d| d.as_millis() as u64),
                expected,
                "{text}"
            );
        };
        check("30s", Some(30_000));
        check("500ms", Some(500));
        check("2m", Some(120_000));
        check("1.5 h", Some(5_400_000));
        check("10", Some(10_000));
        for wrong in [
            "",
            "s",
            "-1s",
            "0s",
            "3 fortnights",
            "1.2.3s",
            "99999999999999999999999h",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn memory() {
        let check = |text: &str, expected: Option<u64>| assert_eq!(parse_bytes(text).ok(), expected, "{text}");
        check("4096", Some(4096));
        check("512MB", Some(512 << 20));
        check("1.5GiB", Some(3 << 29));
        check("64k", Some(64 << 10));
        for wrong in ["", "MB", "0", "1 lightyear", "99999999TB"] {
            check(wrong, None);
        }
    }

    #[test]
    fn for_people() {
        let numbers: Vec<_> = [0, 7, 999, 1000, 1_234_567].into_iter().map(thousands).collect();
        assert_eq!(numbers, ["0", "7", "999", "1,000", "1,234,567"]);
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(2000, "file"), "2,000 files");
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(1536), "1.5 KB");
        assert_eq!(bytes(5 << 40), "5.0 TB");
        assert_eq!(ago(59), "59 s ago");
        assert_eq!(ago(7200), "2 h ago");
        assert_eq!(ago(86_400), "1 day ago");
    }
}
