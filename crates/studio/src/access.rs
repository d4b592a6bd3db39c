//! Access control. `Host` and `Origin` are checked for every request before anything else; everything but the static page
//! needs the token as well.
//!
//! There are two attackers. Another site in the same browser can send requests here, but cannot choose their `Origin`;
//! and DNS rebinding shows in `Host`. Another user of the machine can choose every header, but does not know the token.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, StatusCode, header};

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
            Refusal::Host => "Wrong host: open the studio at the URL it printed.\n",
            Refusal::Origin => "Cross-origin requests are not allowed.\n",
            Refusal::Token => {
                "Missing or wrong token: open the URL that the studio printed when it started.\n"
            }
        }
    }
}

/// What a request needs.
#[derive(Clone, Debug)]
pub struct Access {
    address: SocketAddr,
    token: String,
}

impl Access {
    pub fn new(address: SocketAddr, token: String) -> Access {
        Access { address, token }
    }

    pub fn is_loopback(&self) -> bool {
        self.address.ip().is_loopback()
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Compares in constant time.
    pub fn is_token(&self, given: &str) -> bool {
        let differs = self.token.bytes().zip(given.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        !self.token.is_empty() && self.token.len() == given.len() && differs == 0
    }

    /// Checks where a request comes from; `socket` if it opens a WebSocket, which browsers let any site do.
    pub fn check_origin(&self, headers: &HeaderMap, socket: bool) -> Result<(), Refusal> {
        let host = header_text(headers, header::HOST).ok_or(Refusal::Host)?;
        // Off loopback the machine may have other names, and only the static page can be reached without a token.
        if self.is_loopback() && !self.is_own_host(host) {
            return Err(Refusal::Host);
        }
        match header_text(headers, header::ORIGIN) {
            Some(origin) if origin.strip_prefix("http://") != Some(host) => Err(Refusal::Origin),
            None if socket || headers.contains_key(header::ORIGIN) => Err(Refusal::Origin),
            _ => Ok(()),
        }
    }

    /// Checks the cookie. Any cookie with the right name may hold the token: other servers of this machine can set some too,
    /// because cookies are not bound to a port.
    pub fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut values = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter(|(given, _)| *given == name);
        if values.any(|(_, value)| self.is_token(value)) { Ok(()) } else { Err(Refusal::Token) }
    }

    /// The cookie that carries the token from the printed URL on, as `Set-Cookie` has it.
    pub fn cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.token)
    }

    /// Studios on other ports of this machine have cookies of their own.
    fn cookie_name(&self) -> String {
        format!("vedette-token-{}", self.address.port())
    }

    fn is_own_host(&self, host: &str) -> bool {
        let name = host.strip_suffix(&format!(":{}", self.address.port()));
        // Browsers leave out port 80.
        let name = name.or((self.address.port() == 80).then_some(host));
        let own = host_text(self.address.ip());
        name.is_some_and(|name| {
            ["localhost", "127.0.0.1", &own].iter().any(|own| own.eq_ignore_ascii_case(name))
        })
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
        Access::new(([127, 0, 0, 1], 8111).into(), "0123456789abcdef".to_owned())
    }

    fn from(pairs: &[(header::HeaderName, &str)], socket: bool) -> Result<(), Refusal> {
        local().check_origin(&headers(pairs), socket)
    }

    #[test]
    fn other_hosts_are_refused() {
        for host in ["localhost:8111", "127.0.0.1:8111", "LOCALHOST:8111"] {
            assert_eq!(from(&[(header::HOST, host)], false), Ok(()), "{host}");
        }
        for host in ["evil.example:8111", "localhost", "localhost:8112", "localhost:8111.evil.example", ""] {
            assert_eq!(from(&[(header::HOST, host)], false), Err(Refusal::Host), "{host}");
        }
        assert_eq!(from(&[], false), Err(Refusal::Host));
        let two = [(header::HOST, "localhost:8111"), (header::HOST, "evil.example")];
        assert_eq!(from(&two, false), Err(Refusal::Host));
        let everywhere = Access::new(([0, 0, 0, 0], 8111).into(), "secret".to_owned());
        assert_eq!(everywhere.check_origin(&headers(&[(header::HOST, "den:8111")]), false), Ok(()));
    }

    #[test]
    fn other_origins_are_refused() {
        let asked =
            |origin, socket| from(&[(header::HOST, "localhost:8111"), (header::ORIGIN, origin)], socket);
        assert_eq!(asked("http://localhost:8111", true), Ok(()));
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost:8112",
            "https://localhost:8111",
            "localhost:8111",
        ] {
            assert_eq!(asked(origin, true), Err(Refusal::Origin), "{origin}");
            assert_eq!(asked(origin, false), Err(Refusal::Origin), "{origin}");
        }
        assert_eq!(from(&[(header::HOST, "localhost:8111")], true), Err(Refusal::Origin));
    }

    #[test]
    fn only_the_right_cookie_holds_the_token() {
        let given = |cookies: &str| local().check_token(&headers(&[(header::COOKIE, cookies)]));
        assert_eq!(local().check_token(&HeaderMap::new()), Err(Refusal::Token));
        for wrong in [
            "vedette-token-8111=0123456789abcdeF",
            "vedette-token-8111=",
            "vedette-token-8112=0123456789abcdef",
            "vedette-token=0123456789abcdef",
            "other=0123456789abcdef",
        ] {
            assert_eq!(given(wrong), Err(Refusal::Token), "{wrong}");
        }
        assert_eq!(given("a=b; vedette-token-8111=0123456789abcdef"), Ok(()));
        // Another server on this host may have set one that comes first.
        assert_eq!(given("vedette-token-8111=junk; vedette-token-8111=0123456789abcdef"), Ok(()));
        let nothing = Access::new(([127, 0, 0, 1], 8111).into(), String::new());
        assert!(!nothing.is_token(""), "an empty token never matches");
    }

    #[test]
    fn cookie_is_kept_from_scripts_and_other_sites() {
        let cookie = local().cookie();
        assert_eq!(cookie, "vedette-token-8111=0123456789abcdef; Path=/; HttpOnly; SameSite=Strict");
    }

    #[test]
    fn tokens_are_long_and_unique() {
        let (one, other) = (new_token().expect("random"), new_token().expect("random"));
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }
}
