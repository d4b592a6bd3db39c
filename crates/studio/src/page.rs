//! The page's files, which are inside the program, and what the program shows when it was built without them.

/// One file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// What it is, for `Content-Type`.
    pub media_type: &'static str,
    /// Its bytes.
    pub bytes: &'static [u8],
    /// Whether its name changes with its content, so that it can be kept for ever.
    pub lasting: bool,
}

const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// Shown instead of the page when it was not built.
const MISSING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Vedette</title>\
<h1>Page not included in this build</h1><p>Vedette was built without Node.js. Install <code>nodejs</code> and \
<code>npm</code>, run <code>make</code>, and start the studio again.</p></html>";

/// Whether the page was built before the program was.
pub fn is_built() -> bool {
    !FILES.is_empty()
}

/// The file with this path, without the first slash; the empty path is the page itself.
pub fn file(path: &str) -> Option<PageFile> {
    let name = if path.is_empty() { "index.html" } else { path };
    let found = FILES.iter().find(|(known, _)| *known == name);
    match found {
        Some((name, bytes)) => {
            Some(PageFile { media_type: media_type(name), bytes, lasting: name.starts_with("assets/") })
        }
        None if name == "index.html" => {
            Some(PageFile { media_type: media_type(name), bytes: MISSING.as_bytes(), lasting: false })
        }
        None => None,
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_something_to_show() {
        let page = file("").expect("a page");
        assert_eq!(page.media_type, "text/html; charset=utf-8");
        assert!(!page.bytes.is_empty() && !page.lasting);
        assert!(file("../Cargo.toml").is_none() && file("assets/../index.html").is_none());
    }
}
