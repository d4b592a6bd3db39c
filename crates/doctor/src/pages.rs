//! The pages of the documentation, one for each check, built into the program: reports quote them, `--explain` prints them.

macro_rules! pages {
    ($($name:literal),* $(,)?) => {
        /// Name and text of every page.
        pub const PAGES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../docs/doctor/", $name, ".md"))),)*];
    };
}

pages! {
    "balance", "chess960", "clock", "compliance", "distances", "draws", "fast-games", "growth", "handshake", "info", "leaves", "legality", "limits",
    "mates", "mating-lines", "mirror", "nodes", "odds", "orientation", "robustness", "root-window", "scaling", "self-play",
    "special-moves", "stability", "statistics", "strength", "table", "tactics", "tiny-hash", "zugzwang",
}

/// The page of a check.
pub fn page(check: &str) -> Option<&'static str> {
    PAGES.iter().find(|page| page.0 == check).map(|page| page.1)
}

/// Where the page lies in the repository.
pub fn path(check: &str) -> String {
    format!("docs/doctor/{check}.md")
}

#[cfg(test)]
mod tests {
    use super::super::checks;
    use super::*;

    #[test]
    fn every_check_has_a_page_that_says_what_to_do() {
        for name in checks::page_names() {
            let text = page(name).unwrap_or_else(|| panic!("{name} has no page"));
            assert!(
                text.starts_with("# ") && text.contains("## To confirm") && text.contains("## To mend"),
                "{name}"
            );
        }
        assert_eq!(PAGES.len(), checks::page_names().count());
    }
}
