//! The studio under attack: other origins, other users, floods of messages, thousands of sockets, slow readers, a disk
//! that hangs. It must refuse them, bound its memory, and keep serving its own page.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::evaluation::Evaluation;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use studio::{Server, Shutdown, Store, Studio, StudioConfig};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

type Socket = WebSocketStream<TcpStream>;

/// Timeout: long, because the machine may be busy.
const TIMEOUT: Duration = Duration::from_mins(2);
const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A studio with a folder of its own.
fn open() -> (Arc<Studio>, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let config = StudioConfig {
        evaluation: Evaluation::Classical,
        evaluation_name: "classical evaluation".to_owned(),
        options: vec![("Evaluation".to_owned(), "classical".to_owned())],
        program: PathBuf::from("vedette"),
        version: "test".to_owned(),
        engines: Vec::new(),
        installed: Vec::new(),
    };
    let store = Store::open(folder.path().to_owned()).expect("a folder");
    (Studio::open(config, store).expect("a thread"), folder)
}

/// A studio that serves.
struct Running {
    address: SocketAddr,
    shutdown: Shutdown,
    folder: TempDir,
    task: tokio::task::JoinHandle<()>,
}

impl Running {
    async fn start() -> Running {
        Running::listen(([127, 0, 0, 1], 0).into()).await
    }

    async fn listen(address: SocketAddr) -> Running {
        let (studio, folder) = open();
        let server = Server::listen(address, TOKEN.to_owned(), studio).await.expect("a port");
        // No timeout is due to a busy machine.
        Running::serve(server.with_header_timeout(Duration::from_hours(1)), folder)
    }

    fn serve(server: Server, folder: TempDir) -> Running {
        let (address, shutdown) = (server.address(), Shutdown::new());
        let trigger = shutdown.clone();
        let task = tokio::spawn(async move { server.run(&trigger).await });
        Running { address, shutdown, folder, task }
    }

    /// The cookie of our own page.
    fn cookie(&self) -> String {
        format!("vedette-token-{}={TOKEN}", self.address.port())
    }

    async fn connect(&self, origin: Option<&str>, cookie: Option<&str>) -> Result<Socket, Error> {
        let mut request = format!("ws://{}/socket", self.address).into_client_request()?;
        for (name, value) in [("Origin", origin), ("Cookie", cookie)] {
            if let Some(value) = value {
                request.headers_mut().insert(name, value.parse().expect("plain text"));
            }
        }
        let stream = TcpStream::connect(self.address).await?;
        Ok(tokio_tungstenite::client_async(request, stream).await?.0)
    }

    async fn page(&self) -> Socket {
        let origin = format!("http://{}", self.address);
        self.connect(Some(&origin), Some(&self.cookie())).await.expect("our own page is let in")
    }

    /// Sends a GET request with these headers.
    async fn get(&self, path: &str, headers: &str) -> String {
        let address = SocketAddr::from(([127, 0, 0, 1], self.address.port()));
        raw(address, format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n")).await
    }

    /// Proves that the studio still serves its own page, and that the engine still thinks.
    async fn is_alive(&self) {
        let mut page = self.page().await;
        assert!(ask(&mut page, json!("hello")).await["ok"]["value"]["version"].is_string());
        let message = json!({"number": 2, "request": analyse(9, Some(3))});
        page.send(Message::text(message.to_string())).await.expect("sent");
        loop {
            let event = receive(&mut page).await.expect("an event");
            if event["event"] == "analysis" && event["content"]["finished"] == true {
                break;
            }
        }
    }

    async fn end(self) {
        self.shutdown.trigger();
        tokio::time::timeout(TIMEOUT, self.task).await.expect("it ends").expect("in peace");
    }
}

/// A request for an analysis of the start position; every search of a page has a number of its own.
fn analyse(run: u64, depth: Option<u32>) -> Value {
    let position = json!({"start": chess::Position::startpos().to_fen()});
    let setup =
        json!({"position": position, "lines": 1, "threads": 1, "hash": 16, "run": run, "depth": depth});
    json!({"analysis": {"start": {"setup": setup, "take": true}}})
}

/// A request for a game at the weakest level.
fn new_game(side: &str, chess960: Option<u16>) -> Value {
    let game = json!({
        "side": side, "elo": 800, "clock": null, "chess960": chess960, "fen": null, "date": "",
    });
    json!({"game": {"new": game}})
}

async fn receive(socket: &mut Socket) -> Option<Value> {
    loop {
        let message = tokio::time::timeout(TIMEOUT, socket.next()).await.expect("an answer");
        match message? {
            Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

async fn ask(socket: &mut Socket, request: Value) -> Value {
    let message = json!({"number": 1, "request": request});
    socket.send(Message::text(message.to_string())).await.expect("sent");
    loop {
        let message = receive(socket).await.expect("a reply");
        if message["number"] == 1 {
            return message;
        }
    }
}

/// Waits until this many moves are played. An event may come before a reply and be skipped there, so the studio is asked
/// until it is so.
async fn wait_for_moves(page: &mut Socket, count: usize) {
    loop {
        let hello = ask(page, json!("hello")).await;
        if hello["ok"]["value"]["game"]["moves"].as_array().is_some_and(|moves| moves.len() == count) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Sends bytes as they are, and reads what comes back.
async fn raw(address: SocketAddr, text: impl Into<String>) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(text.into().as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn other_origins_are_refused() {
    let studio = Running::start().await;
    let cookie = studio.cookie();
    for origin in [None, Some("http://evil.example"), Some("null"), Some("http://localhost:1")] {
        assert!(matches!(studio.connect(origin, Some(&cookie)).await, Err(Error::Http(_))), "{origin:?}");
    }
    let own = format!("Host: {}\r\nCookie: {cookie}\r\n", studio.address);
    let elsewhere = format!("Host: evil.example\r\nCookie: {cookie}\r\n");
    assert!(studio.get("/", &elsewhere).await.starts_with("HTTP/1.1 421"));
    let foreign = format!("{own}Origin: http://evil.example\r\n");
    assert!(studio.get("/", &foreign).await.starts_with("HTTP/1.1 403"));
    assert!(studio.get("/../../etc/passwd", &own).await.starts_with("HTTP/1.1 404"));
    assert!(studio.get("/report/..%2f..%2fgame", &own).await.starts_with("HTTP/1.1 404"));
    let page = studio.get("/", &own).await;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("content-security-policy: default-src 'none'"), "{page}");
    assert!(page.contains("cross-origin-opener-policy: same-origin"), "{page}");
    assert!(
        raw(studio.address, "POST / HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .await
            .starts_with("HTTP/1.1 4")
    );
    studio.is_alive().await;
    studio.end().await;
}

/// Another user of the machine can send every header, but does not know the token.
async fn is_useless_without_token(studio: &Running, host: &str) {
    let headers = format!("Host: {host}\r\n");
    let origin = format!("http://{}", studio.address);
    let port = studio.address.port();
    for cookie in [None, Some(format!("vedette-token-{port}=guess")), Some(format!("vedette-token={TOKEN}"))]
    {
        let refused = studio.connect(Some(&origin), cookie.as_deref()).await;
        assert!(matches!(&refused, Err(Error::Http(answer)) if answer.status() == 401), "{cookie:?}");
    }
    assert!(studio.get("/report/a", &headers).await.starts_with("HTTP/1.1 401"));
    assert!(studio.get("/access", &headers).await.ends_with("\r\n\r\nfalse"));
    // The page itself is not secret; without the token it asks for the link.
    assert!(studio.get("/", &headers).await.starts_with("HTTP/1.1 200"));
    assert!(studio.get("/?token=guess", &headers).await.starts_with("HTTP/1.1 401"));
    let welcome = studio.get(&format!("/?token={TOKEN}"), &headers).await;
    assert!(welcome.starts_with("HTTP/1.1 303"), "{welcome}");
    let cookie = format!("vedette-token-{port}={TOKEN}; Path=/; HttpOnly; SameSite=Strict\r\n");
    assert!(welcome.contains(&cookie), "{welcome}");
    assert!(welcome.contains("referrer-policy: no-referrer\r\n"), "{welcome}");
    let with_cookie = format!("{headers}Cookie: {}\r\n", studio.cookie());
    assert!(studio.get("/access", &with_cookie).await.ends_with("\r\n\r\ntrue"));
    assert!(studio.get("/report/a", &with_cookie).await.starts_with("HTTP/1.1 404"));
    let foreign = format!("{with_cookie}Origin: http://evil.example\r\n");
    assert!(studio.get("/socket", &foreign).await.starts_with("HTTP/1.1 403"));
}

#[tokio::test]
async fn token_is_required() {
    let studio = Running::start().await;
    is_useless_without_token(&studio, &studio.address.to_string()).await;
    studio.is_alive().await;
    studio.end().await;
}

#[tokio::test]
async fn token_is_required_beyond_loopback() {
    let studio = Running::listen(([0, 0, 0, 0], 0).into()).await;
    is_useless_without_token(&studio, "den:1").await;
    let page = studio.get("/", "Host: den:1\r\n").await;
    assert!(!page.contains("cross-origin-opener-policy"), "a browser would only complain: {page}");
    studio.end().await;
}

#[tokio::test]
async fn silent_connections_do_not_lock_the_page_out() {
    let studio = Running::start().await;
    let mut silent = Vec::new();
    for number in 0..400 {
        let mut stream = TcpStream::connect(studio.address).await.expect("a connection");
        if number % 2 == 1 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").await.expect("sent");
        }
        silent.push(stream);
    }
    // None of them has timed out.
    studio.is_alive().await;
    // Our own page stays connected.
    let mut page = studio.page().await;
    for _ in 0..400 {
        silent.push(TcpStream::connect(studio.address).await.expect("a connection"));
    }
    assert!(ask(&mut page, json!("hello")).await["ok"].is_object());
    studio.end().await;
}

#[tokio::test]
async fn invalid_and_huge_messages_close_one_connection_only() {
    let studio = Running::start().await;
    let mut page = studio.page().await;
    for text in ["", "[]", "{\"request\":\"hello\"}", "{\"number\":1e99,\"request\":\"hello\"}"] {
        page.send(Message::text(text)).await.expect("sent");
        assert_eq!(receive(&mut page).await.expect("a complaint")["event"], "warning", "{text}");
    }
    let deep = "[".repeat(100_000);
    page.send(Message::text(deep)).await.expect("sent");
    assert_eq!(receive(&mut page).await.expect("a complaint")["event"], "warning");
    for request in [
        json!("shell"),
        json!({"analysis": {"start": {"lines": "two"}}}),
        json!({"explain": {"fen": "x".repeat(100_000)}}),
        json!({"library": {"pgn": {"source": "played", "id": "../../game", "index": 0}}}),
        json!({"library": {"pgn": {"source": "played", "id": "a", "index": 0}}}),
        json!({"match": {"game": {"id": "a", "index": u64::MAX}}}),
        json!({"trace": {"children": {"node": u32::MAX, "skip": u64::MAX}}}),
        json!({"analysis": {"start": {
            "setup": {
                "position": {"start": "8/8/8/8/8/8/8/8 w - - 0 1"}, "lines": 0, "threads": 0, "hash": 0,
                "run": 1, "depth": null,
            },
            "take": false,
        }}}),
        json!({"game": {"move": {"mv": "e2e4\u{0}", "ply": 0}}}),
    ] {
        assert!(ask(&mut page, request.clone()).await["error"].is_string(), "{request}");
    }
    // More than such a request may have.
    let padding = " ".repeat(100_000);
    let padded = format!("{padding}{}", json!({"number": 1, "request": "hello"}));
    page.send(Message::text(padded)).await.expect("sent");
    let refused = receive(&mut page).await.expect("a complaint");
    assert!(refused["error"].as_str().is_some_and(|error| error.contains("too large")), "{refused}");
    // More than a message may have: the connection ends.
    let huge = "x".repeat(studio::MAX_MESSAGE + 1);
    let _ = page.send(Message::text(huge)).await;
    while receive(&mut page).await.is_some() {}
    let mut binary = studio.page().await;
    binary.send(Message::binary(vec![0; 100])).await.expect("sent");
    assert!(receive(&mut binary).await.is_none());
    studio.is_alive().await;
    studio.end().await;
}

#[tokio::test]
async fn flooding_page_is_disconnected() {
    let studio = Running::start().await;
    let mut page = studio.page().await;
    for _ in 0..2000 {
        let asked =
            json!({"number": 1, "request": {"library": {"search": {"text": "", "source": null, "skip": 0}}}})
                .to_string();
        if page.send(Message::text(asked)).await.is_err() {
            break;
        }
    }
    while receive(&mut page).await.is_some() {}
    studio.is_alive().await;
    studio.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_sockets_leak_nothing() {
    let studio = Running::start().await;
    studio.is_alive().await;
    let before = memory();
    for number in 0..10_000_u32 {
        let Ok(mut stream) = TcpStream::connect(studio.address).await else { continue };
        // Some say nothing, some half a request, some a whole one without waiting for the answer.
        let text: &[u8] = match number % 4 {
            0 => b"",
            1 => b"GET /socket HTTP/1.1\r\nHost: ",
            2 => b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            _ => b"\xff\xfe\x00\x00\r\n\r\n",
        };
        let _ = stream.write_all(text).await;
    }
    studio.is_alive().await;
    let grown = memory().saturating_sub(before);
    assert!(grown < 64 * 1024, "grew by {grown} KiB");
    studio.end().await;
}

#[tokio::test]
async fn number_of_pages_is_limited() {
    let studio = Running::start().await;
    let mut pages = Vec::new();
    for _ in 0..studio::MAX_CLIENTS {
        let mut page = studio.page().await;
        ask(&mut page, json!("hello")).await;
        pages.push(page);
    }
    let mut one_too_many = studio.page().await;
    assert!(receive(&mut one_too_many).await.is_none());
    pages.truncate(1);
    // There is room again when the studio has noticed that the others are gone.
    loop {
        let mut page = studio.page().await;
        let hello = json!({"number": 1, "request": "hello"}).to_string();
        if page.send(Message::text(hello)).await.is_ok() && receive(&mut page).await.is_some() {
            break;
        }
    }
    studio.is_alive().await;
    studio.end().await;
}

#[tokio::test]
async fn page_that_does_not_read_is_disconnected() {
    let studio = Running::start().await;
    let mut deaf = studio.page().await;
    // Big answers that are never read: sooner or later nothing more fits on the way.
    let fen = chess::Position::startpos().to_fen();
    let asked = json!({"number": 1, "request": {"explain": {"fen": fen}}}).to_string();
    for _ in 0..90 {
        if deaf.send(Message::text(asked.clone())).await.is_err() {
            break;
        }
    }
    studio.is_alive().await;
    let mut page = studio.page().await;
    assert!(ask(&mut page, new_game("black", None)).await["ok"]["value"]["moves"].is_array());
    wait_for_moves(&mut page, 1).await;
    studio.end().await;
}

/// Waits for an event; others are skipped.
async fn wait_for(page: &mut Socket, event: &str) {
    let wait = async { while receive(page).await.expect("the studio is there")["event"] != event {} };
    tokio::time::timeout(TIMEOUT, wait).await.unwrap_or_else(|_| panic!("no event '{event}'"));
}

#[tokio::test]
async fn engine_is_taken_and_freed() {
    let studio = Running::start().await;
    let (mut first, mut second) = (studio.page().await, studio.page().await);
    // Many times: a search that is stopped may report its end before the engine has its next owner.
    for run in 0..20 {
        ask(&mut first, analyse(run, None)).await;
        ask(&mut second, analyse(run, None)).await;
        wait_for(&mut first, "analysis-taken").await;
    }
    drop(second);
    wait_for(&mut first, "analysis-free").await;
    // A search that ends by itself frees the engine as well.
    let mut third = studio.page().await;
    ask(&mut first, analyse(20, None)).await;
    ask(&mut third, analyse(1, Some(3))).await;
    wait_for(&mut first, "analysis-taken").await;
    wait_for(&mut first, "analysis-free").await;
    studio.end().await;
}

#[tokio::test]
async fn game_survives_its_page() {
    let studio = Running::start().await;
    let mut page = studio.page().await;
    ask(&mut page, new_game("white", Some(518))).await;
    let play = |mv: &str| json!({"game": {"move": {"mv": mv, "ply": 0}}});
    ask(&mut page, play("e2e4")).await;
    let refused = ask(&mut page, play("d2d4")).await;
    assert!(refused["error"].is_string(), "a stale page cannot move");
    drop(page);
    let mut again = studio.page().await;
    let hello = ask(&mut again, json!("hello")).await;
    assert_eq!(hello["ok"]["value"]["game"]["moves"][0], "e2e4");
    let saved = std::fs::read_to_string(studio.folder.path().join("game.json")).expect("written at once");
    assert!(saved.contains("e2e4"));
    studio.end().await;
}

#[tokio::test]
async fn hints_do_not_change_the_level() {
    let studio = Running::start().await;
    let mut page = studio.page().await;
    ask(&mut page, new_game("white", None)).await;
    // The move must be accepted, however soon after the hint it comes.
    for ply in [0, 2] {
        let hint = ask(&mut page, json!({"game": "hint"})).await;
        let mv = hint["ok"]["value"]["mv"].as_str().expect("a hint").to_owned();
        ask(&mut page, json!({"game": {"move": {"mv": mv, "ply": ply}}})).await;
        wait_for_moves(&mut page, ply + 2).await;
    }
    let hello = ask(&mut page, json!("hello")).await;
    assert_eq!(hello["ok"]["value"]["game"]["elo"], 800);
    studio.end().await;
}

/// Memory of this process in KiB, where known; a constant elsewhere.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// Clocks that no engine can count down, and numbers at the end of their range.
#[tokio::test]
async fn extreme_limits_are_refused() {
    let studio = Running::start().await;
    let mut page = studio.page().await;
    let vedette = json!({"engine": {"vedette": {"elo": null, "classical": true}}, "options": []});
    let start = |clock: Option<&str>, nodes: Option<u64>, pairs: u64, sprt: Option<[f64; 2]>| {
        json!({"match": {"start": {
            "engines": [vedette, vedette], "gauntlet": false, "openings": "built-in", "pairs": pairs, "clock": clock, "nodes": nodes, "concurrency": 1,
            "sprt": sprt,
        }}})
    };
    let overflow = ask(&mut page, start(Some("4294967295:18446744073709549568"), None, 1, None)).await;
    assert!(overflow["error"].is_string(), "{overflow}");
    for clock in ["1e19+1e19", "86401", "1+3601", "-1", "nan", "inf", "", "0"] {
        let refused = ask(&mut page, start(Some(clock), None, 1, None)).await;
        let error = refused["error"].as_str().unwrap_or_default();
        assert!(error.starts_with("invalid time control"), "{clock}: {refused}");
    }
    for request in [
        start(None, None, 1, None),
        start(None, Some(0), 1, None),
        start(None, Some(1), 0, None),
        start(None, Some(1), u64::MAX, None),
        start(None, Some(1), 1, Some([1e300, -1e300])),
        start(None, Some(1), 1, Some([0.0, 0.0])),
    ] {
        let refused = ask(&mut page, request.clone()).await;
        assert!(refused["error"].as_str().is_some_and(|error| !error.contains("internal")), "{refused}");
    }
    studio.is_alive().await;
    studio.end().await;
}

/// A disk that hangs stops the game and nothing else. There is one thread for connections, which must not be blocked.
#[cfg(unix)]
#[tokio::test(flavor = "current_thread")]
async fn hanging_disk_does_not_stop_the_studio() {
    let studio = Running::start().await;
    let mut player = studio.page().await;
    // Opening a pipe to write waits until somebody reads.
    let pipe = studio.folder.path().join("game.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
    assert!(made.success());
    let message = json!({"number": 1, "request": new_game("white", None)});
    player.send(Message::text(message.to_string())).await.expect("sent");
    let mut other = studio.page().await;
    for _ in 0..3 {
        let fen = chess::Position::startpos().to_fen();
        assert!(ask(&mut other, json!({"explain": {"fen": fen}})).await["ok"].is_object());
    }
    assert!(studio.get("/", &format!("Host: {}\r\n", studio.address)).await.starts_with("HTTP/1.1 200"));
    let early = tokio::time::timeout(Duration::ZERO, player.next()).await;
    assert!(early.is_err(), "the game waits for the disk: {early:?}");
    let reader = std::thread::spawn(move || std::fs::read(&pipe));
    assert!(receive(&mut player).await.is_some(), "and goes on");
    reader.join().expect("no panic").expect("the game");
    studio.end().await;
}
