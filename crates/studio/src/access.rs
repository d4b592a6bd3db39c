//! Access control: `Host`, `Origin` and token are checked for every HTTP request and every WebSocket before anything else.
//!
//! The attacker is another site in the same browser. It can send requests here, but cannot choose their `Origin`; and DNS
//! rebinding shows in `Host`.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, StatusCode, header};

pub const TOKEN_COOKIE: &str = "vedette-token";

/// Which check a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Host,
    Origin,
    Token,
}

impl Refusal {
    pub const fn status(self) -> StatusCode {
        match self {
            Refusal::Host => StatusCode::MISDIRECTED_REQUEST,
            Refusal::Origin => StatusCode::FORBIDDEN,
            Refusal::Token => StatusCode::UNAUTHORIZED,
        }
    }

    pub const fn text(self) -> &'static str {
        match self {
            Refusal::Host => "Wrong host: open the studio at the address it printed.\n",
            Refusal::Origin => "Cross-origin requests are not allowed.\n",
            Refusal::Token => {
                "Missing or wrong token: open the address that the studio printed when it started.\n"
            }
        }
    }
}

/// What a request needs.
#[derive(Clone, Debug)]
pub struct Access {
    port: u16,
    /// Accepted host names; any where a token is required instead.
    hosts: Vec<String>,
    token: Option<String>,
}

impl Access {
    pub fn new(address: SocketAddr, token: Option<String>) -> Access {
        let hosts = ["localhost".to_owned(), "127.0.0.1".to_owned(), host_text(address.ip())];
        Access { port: address.port(), hosts: hosts.into(), token }
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Compares in constant time.
    pub fn is_token(&self, given: &str) -> bool {
        self.token.as_deref().is_some_and(|token| {
            let differs = token.bytes().zip(given.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
            token.len() == given.len() && differs == 0
        })
    }

    /// Checks a request; `socket` if it opens a WebSocket, which browsers let any site do.
    pub fn check(&self, headers: &HeaderMap, socket: bool) -> Result<(), Refusal> {
        let host = header_text(headers, header::HOST).ok_or(Refusal::Host)?;
        if self.token.is_none() && !self.is_own_host(host) {
            return Err(Refusal::Host);
        }
        match header_text(headers, header::ORIGIN) {
            Some(origin) if origin.strip_prefix("http://") != Some(host) => return Err(Refusal::Origin),
            None if socket || headers.contains_key(header::ORIGIN) => return Err(Refusal::Origin),
            _ => {}
        }
        if self.token.is_some() && !cookie(headers).is_some_and(|given| self.is_token(given)) {
            return Err(Refusal::Token);
        }
        Ok(())
    }

    fn is_own_host(&self, host: &str) -> bool {
        let name = host.strip_suffix(&format!(":{}", self.port));
        // Browsers leave out port 80.
        let name = name.or((self.port == 80).then_some(host));
        name.is_some_and(|name| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(name)))
    }
}

/// An address as `Host` has it.
fn host_text(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok();
    // A duplicate header is refused: another reader might take the other one.
    if values.next().is_some() { None } else { value }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
    cookies
        .split(';')
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == TOKEN_COOKIE)
        .map(|(_, value)| value)
}

/// A new token: 128 random bits in hexadecimal.
pub fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, HeaderValue::from_str(value).expect("plain text"));
        }
        headers
    }

    fn local() -> Access {
        Access::new(([127, 0, 0, 1], 8111).into(), None)
    }

    fn guarded() -> Access {
        Access::new(([192, 168, 1, 5], 8111).into(), Some("0123456789abcdef".to_owned()))
    }

    #[test]
    fn other_hosts_are_refused() {
        for host in ["localhost:8111", "127.0.0.1:8111", "LOCALHOST:8111"] {
            assert_eq!(local().check(&headers(&[(header::HOST, host)]), false), Ok(()), "{host}");
        }
        for host in ["evil.example:8111", "localhost", "localhost:8112", "localhost:8111.evil.example", ""] {
            assert_eq!(local().check(&headers(&[(header::HOST, host)]), false), Err(Refusal::Host), "{host}");
        }
        assert_eq!(local().check(&HeaderMap::new(), false), Err(Refusal::Host));
        let two = headers(&[(header::HOST, "localhost:8111"), (header::HOST, "evil.example")]);
        assert_eq!(local().check(&two, false), Err(Refusal::Host));
    }

    #[test]
    fn other_origins_are_refused() {
        let asked = |origin: &str| headers(&[(header::HOST, "localhost:8111"), (header::ORIGIN, origin)]);
        assert_eq!(local().check(&asked("http://localhost:8111"), true), Ok(()));
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost:8112",
            "https://localhost:8111",
            "localhost:8111",
        ] {
            assert_eq!(local().check(&asked(origin), true), Err(Refusal::Origin), "{origin}");
            assert_eq!(local().check(&asked(origin), false), Err(Refusal::Origin), "{origin}");
        }
        let none = headers(&[(header::HOST, "localhost:8111")]);
        assert_eq!(local().check(&none, true), Err(Refusal::Origin));
    }

    #[test]
    fn token_is_required_beyond_loopback() {
        let host = (header::HOST, "den:8111");
        assert_eq!(guarded().check(&headers(std::slice::from_ref(&host)), false), Err(Refusal::Token));
        for wrong in ["vedette-token=0123456789abcdeF", "vedette-token=", "other=0123456789abcdef"] {
            let asked = headers(&[host.clone(), (header::COOKIE, wrong)]);
            assert_eq!(guarded().check(&asked, false), Err(Refusal::Token), "{wrong}");
        }
        let right = headers(&[host, (header::COOKIE, "a=b; vedette-token=0123456789abcdef")]);
        assert_eq!(guarded().check(&right, false), Ok(()));
        assert!(!local().is_token(""), "an empty token never matches");
    }

    #[test]
    fn tokens_are_long_and_unique() {
        let (one, other) = (new_token().expect("random"), new_token().expect("random"));
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }
}
