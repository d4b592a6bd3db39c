//! The little of Markdown that the pages use, as HTML.

use std::fmt::Write;

use super::plot::escape;

/// Headings, paragraphs, lists, code blocks and code words.
pub fn html(text: &str) -> String {
    let mut out = String::new();
    let (mut code, mut list, mut paragraph) = (false, false, Vec::<&str>::new());
    let flush = |paragraph: &mut Vec<&str>, out: &mut String| {
        if !paragraph.is_empty() {
            let _ = write!(out, "<p>{}</p>", inline(&paragraph.join(" ")));
            paragraph.clear();
        }
    };
    for line in text.lines() {
        if line.starts_with("```") {
            flush(&mut paragraph, &mut out);
            out.push_str(if code { "</pre>" } else { "<pre>" });
            code = !code;
        } else if code {
            out.push_str(&escape(line));
            out.push('\n');
        } else if let Some(item) = line.strip_prefix("- ") {
            flush(&mut paragraph, &mut out);
            if !list {
                out.push_str("<ul>");
                list = true;
            }
            let _ = write!(out, "<li>{}</li>", inline(item));
        } else {
            if list && !line.starts_with("  ") {
                out.push_str("</ul>");
                list = false;
            }
            let level = line.chars().take_while(|&sign| sign == '#').count();
            if level > 0 {
                flush(&mut paragraph, &mut out);
                let level_shown = level + 2;
                let _ = write!(out, "<h{level_shown}>{}</h{level_shown}>", inline(line[level..].trim()));
            } else if line.trim().is_empty() {
                flush(&mut paragraph, &mut out);
            } else {
                paragraph.push(line.trim());
            }
        }
    }
    flush(&mut paragraph, &mut out);
    out.push_str(if list { "</ul>" } else { "" });
    out
}

/// Words between back ticks are code.
fn inline(text: &str) -> String {
    let parts: Vec<String> = text
        .split('`')
        .enumerate()
        .map(
            |(index, part)| {
                if index % 2 == 1 { format!("<code>{}</code>", escape(part)) } else { escape(part) }
            },
        )
        .collect();
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_become_html() {
        let page = "# Title\n\nSome `code` & text\nin two lines.\n\n- one\n- two\n\n```\ngo <x>\n```\n";
        assert_eq!(
            html(page),
            "<h3>Title</h3><p>Some <code>code</code> &amp; text in two lines.</p><ul><li>one</li><li>two</li></ul>\
             <pre>go &lt;x&gt;\n</pre>"
        );
    }
}
