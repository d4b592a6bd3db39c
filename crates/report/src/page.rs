//! HTML pages.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

const STYLE: &str = include_str!("page.css");

/// A page that needs no script, no other file and no network. `style` is added to the common style sheet.
pub fn page(title: &str, style: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { (body) }
        }
    }
}

/// Markdown, tables included, as HTML. Headings are moved two levels down, to stand below those of the page. Raw HTML is
/// escaped, and links to other files keep their text only, since a page stands alone.
pub fn markdown(text: &str) -> Markup {
    let mut is_dropped = Vec::new();
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Some(Event::Start(Tag::Heading { level: lower(level), id, classes, attrs }))
        }
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(lower(level)))),
        Event::Start(Tag::Link { ref dest_url, .. }) => {
            let is_file = !dest_url.contains("://") && !dest_url.starts_with('#');
            is_dropped.push(is_file);
            (!is_file).then_some(event)
        }
        Event::End(TagEnd::Link) => (is_dropped.pop() != Some(true)).then_some(event),
        Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
        other => Some(other),
    });
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events);
    PreEscaped(out)
}

fn lower(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(level as usize + 2).unwrap_or(HeadingLevel::H6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        let text = "# Title\n\nSome `code` & text\nin two lines.\n\n- one\n- two\n\n```\ngo <x>\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let html = markdown(text).into_string();
        for part in [
            "<h3>Title</h3>",
            "<code>code</code> &amp; text",
            "<li>two</li>",
            "<pre><code>go &lt;x&gt;\n</code></pre>",
            "<td>2</td>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn raw_html_is_escaped() {
        let html = markdown("a <script>alert(1)</script>\n\n<b>\n").into_string();
        assert!(!html.contains("<script>") && !html.contains("<b>"), "{html}");
    }

    #[test]
    fn links_to_files_keep_their_text() {
        let html = markdown("see [mates](mates.md) and [UCI](https://example.org)").into_string();
        assert!(html.contains("see mates and <a href=\"https://example.org\">UCI</a>"), "{html}");
    }

    #[test]
    fn page_escapes_title() {
        let page = page("a <b>", "", &html! { p { "text & more" } }).into_string();
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<title>a &lt;b&gt;</title>"), "{page}");
        assert!(page.contains("text &amp; more"), "{page}");
    }
}
