//! Paths into a text of JSON: `trip.stops.0.distance_m`.
//!
//! What is read is what lies at the end, `distance_m`; numbers and signs are positions of lists, and questions about them.

/// The last name of a path.
pub fn last_of(path: &str) -> Option<&str> {
    names_of(path).last()
}

/// The names on a path.
pub fn names_of(path: &str) -> impl Iterator<Item = &str> {
    let is_name = |part: &&str| {
        part.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && part
                .chars()
                .all(|letter| letter.is_alphanumeric() || "_-$".contains(letter))
    };
    path.split(['.', '|']).filter(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_questions_are_no_names() {
        assert_eq!(last_of("trip.distance_m"), Some("distance_m"));
        assert_eq!(last_of("stops.0.#"), Some("stops"));
        assert_eq!(last_of("noise_db"), Some("noise_db"));
        assert_eq!(last_of("#.@this"), None);
        assert_eq!(names_of("a.b.1.c").collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}
