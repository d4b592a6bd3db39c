//! The studio behind the page: which part handles which request.

use std::path::PathBuf;
use std::sync::Arc;

use engine::evaluation::Evaluation;
use record::pgn::PgnReader;
use tokio::sync::watch;

use crate::analysis::{AnalysisEngine, MAX_HASH, MAX_LINES, available_threads};
use crate::clients::{ClientId, Clients};
use crate::doctor::{self, DoctorJobs};
use crate::error::RequestError;
use crate::explain::explain;
use crate::matches::{ExternalEngine, Matches};
use crate::microscope::Microscope;
use crate::play::GameInProgress;
use crate::protocol::{AnalysisRequest, GameSummary, Hello, Reply, Request, SavedGameRequest, parse_fen};
use crate::review::Reviews;
use crate::store::{Collection, Id, Store};
use crate::strength;

const MAX_LISTED_GAMES: usize = 200;

/// What a studio is started with.
pub struct StudioConfig {
    /// The evaluation of Vedette's own engine.
    pub evaluation: Evaluation,
    /// Its name, such as the network's hash.
    pub evaluation_name: String,
    /// The same as UCI options.
    pub options: Vec<(String, String)>,
    /// Vedette's executable, which the doctor starts.
    pub program: PathBuf,
    /// The program's version.
    pub version: String,
    /// Engines for matches and the doctor.
    pub engines: Vec<ExternalEngine>,
}

/// Everything behind the page.
pub struct Studio {
    clients: Arc<Clients>,
    store: Arc<Store>,
    game: GameInProgress,
    analysis: Arc<AnalysisEngine>,
    matches: Matches,
    microscope: Microscope,
    reviews: Reviews,
    doctor: DoctorJobs,
    closing: watch::Sender<bool>,
    evaluation_name: String,
    version: String,
}

impl Studio {
    /// Opens a studio; must be called inside a tokio runtime.
    pub fn open(config: StudioConfig, store: Store) -> Arc<Studio> {
        let (clients, store) = (Arc::new(Clients::new()), Arc::new(store));
        let shared = || (Arc::clone(&store), Arc::clone(&clients));
        let StudioConfig { evaluation, evaluation_name, options, program, version, engines } = config;
        let (shared_store, shared_clients) = shared();
        let reviews = Reviews::new(&options, &evaluation_name, shared_store, shared_clients);
        let (shared_store, shared_clients) = shared();
        let doctor = DoctorJobs::new(
            &program,
            options.clone(),
            engines.clone(),
            &version,
            shared_store,
            shared_clients,
        );
        let (shared_store, shared_clients) = shared();
        let matches = Matches::new(options, engines, shared_store, shared_clients);
        let (shared_store, shared_clients) = shared();
        let game = GameInProgress::new(evaluation.clone(), shared_store, shared_clients);
        let analysis = Arc::new(AnalysisEngine::new(evaluation.clone(), Arc::clone(&clients)));
        let (shared_store, shared_clients) = shared();
        let microscope = Microscope::new(evaluation, &evaluation_name, shared_store, shared_clients);
        let closing = watch::Sender::new(false);
        Arc::new(Studio {
            clients,
            store,
            game,
            analysis,
            matches,
            microscope,
            reviews,
            doctor,
            closing,
            evaluation_name,
            version,
        })
    }

    pub(crate) fn clients(&self) -> &Clients {
        &self.clients
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Becomes true when the studio closes.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Stops all jobs and disconnects all pages.
    pub(crate) fn close(&self) {
        self.matches.stop();
        self.reviews.stop();
        self.doctor.stop();
        self.microscope.stop();
        self.closing.send_replace(true);
    }

    /// Stops what runs for a page that is gone.
    pub(crate) async fn forget(self: &Arc<Self>, client: ClientId) {
        let studio = Arc::clone(self);
        // It fails only if the runtime ends.
        let _ = tokio::task::spawn_blocking(move || studio.analysis.stop(client)).await;
    }

    pub(crate) async fn handle(
        self: &Arc<Self>,
        client: ClientId,
        request: Request,
    ) -> Result<Reply, RequestError> {
        match request {
            Request::Hello => Ok(Reply::Hello(Box::new(self.hello().await))),
            Request::Game(request) => self.game.handle(request).await,
            Request::SavedGame(request) => self.blocking(move |studio| studio.saved_game(request)).await,
            Request::Analysis(request) => self.blocking(move |studio| studio.analyse(client, &request)).await,
            Request::Explain { fen } => {
                let position = parse_fen(&fen)?;
                self.blocking(move |studio| Ok(Reply::Explanation(explain(&studio.analysis, &position))))
                    .await
            }
            Request::Review(request) => self.blocking(move |studio| studio.reviews.handle(request)).await,
            Request::Trace(request) => self.blocking(move |studio| studio.microscope.handle(request)).await,
            Request::Match(request) => self.blocking(move |studio| studio.matches.handle(request)).await,
            Request::Doctor(request) => self.blocking(move |studio| studio.doctor.handle(request)).await,
        }
    }

    /// Runs a handler that may block on a thread of its own.
    async fn blocking(
        self: &Arc<Self>,
        handler: impl FnOnce(&Studio) -> Result<Reply, RequestError> + Send + 'static,
    ) -> Result<Reply, RequestError> {
        let studio = Arc::clone(self);
        let result = tokio::task::spawn_blocking(move || handler(&studio)).await;
        result.unwrap_or(Err(RequestError::Internal))
    }

    async fn hello(&self) -> Hello {
        Hello {
            version: self.version.clone(),
            evaluation: self.evaluation_name.clone(),
            elo: strength::range(),
            threads: available_threads(),
            max_lines: MAX_LINES,
            max_hash: MAX_HASH,
            engines: self.matches.engines().iter().map(|engine| engine.name.clone()).collect(),
            checks: doctor::checks(),
            game: self.game.state().await.map(Box::new),
            r#match: self.matches.current().map(Box::new),
            review: self.reviews.progress(),
            doctor: self.doctor.progress(),
            trace: self.microscope.overview().map(Box::new),
            recording: self.microscope.is_busy(),
        }
    }

    fn analyse(&self, client: ClientId, request: &AnalysisRequest) -> Result<Reply, RequestError> {
        match request {
            AnalysisRequest::Start(start) => self.analysis.start(client, start)?,
            AnalysisRequest::Stop => self.analysis.stop(client),
        }
        Ok(Reply::Done)
    }

    fn saved_game(&self, request: SavedGameRequest) -> Result<Reply, RequestError> {
        match request {
            SavedGameRequest::List => Ok(Reply::Games(self.games())),
            SavedGameRequest::Pgn { id } => {
                let bytes = self.store.read(Collection::Games, &id, "pgn")?;
                Ok(Reply::Pgn(String::from_utf8_lossy(&bytes).into_owned()))
            }
            SavedGameRequest::Remove { id } => {
                self.store.remove(Collection::Games, &id)?;
                Ok(Reply::Done)
            }
        }
    }

    /// The finished games, the newest first.
    fn games(&self) -> Vec<GameSummary> {
        let summary = |id: &Id| {
            let bytes = self.store.read(Collection::Games, id, "pgn").ok()?;
            let game = PgnReader::new(&String::from_utf8_lossy(&bytes)).next()?;
            let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
            Some(GameSummary {
                id: id.clone(),
                white: tag("White"),
                black: tag("Black"),
                date: tag("Date"),
                result: tag("Result"),
                moves: game.moves.len().div_ceil(2),
            })
        };
        self.store.list(Collection::Games, "pgn").iter().take(MAX_LISTED_GAMES).filter_map(summary).collect()
    }
}
