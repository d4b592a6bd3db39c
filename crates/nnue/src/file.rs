//! The network file: number format, shape, description, weights, and a hash over all of it. `docs/network.md` has the layout.

use std::borrow::Cow;
use std::fmt;

use chess::Position;

use crate::float::FloatNetwork;
use crate::layers::{HeadLists, Layers};
use crate::network::{Network, Row};
use crate::packed::{pack, unpack};
use crate::shape::{
    FIRST_LAYER, Head, LISTS, OUTPUT_BUCKETS, OUTPUT_ONE, SCALE, SECOND_LAYER, Shape, ShapeError, UNIT_ONE,
    layered,
};

/// The first bytes of every network file.
pub const MAGIC: [u8; 8] = *b"VEDETTE\x1A";

/// The version of the layout of networks with [`Head::Single`].
pub const VERSION: u32 = 1;

/// The version of the layout of networks with [`Head::Layered`].
pub const LAYERED_VERSION: u32 = 2;

/// Bytes before the description; those of [`LAYERED_HEADER`] come after them.
const HEADER: usize = 56;

/// What the header of a layered network has in addition, each in four bytes.
const LAYERED_HEADER: [(&str, i32); 4] = [
    ("size of the first layer", FIRST_LAYER as i32),
    ("size of the second layer", SECOND_LAYER as i32),
    ("quantisation of the first layer", layered::FIRST_ONE),
    ("quantisation of the second layer", layered::SECOND_ONE),
];

/// Offset of the number format.
const NUMBERS_AT: usize = 12;

/// The code of packed integers.
const PACKED: u32 = 2;

/// Offset of the hash. It covers everything but itself, with packed integers unpacked: packing does not change a network's
/// hash.
const HASH_AT: usize = 40;

/// Offset of the length of packed integers.
const PACKED_LENGTH_AT: usize = 52;

/// The number format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Numbers {
    /// Quantised: 16-bit integers, 32-bit output biases.
    Integer = 0,
    /// 32-bit floats, as the trainer writes them.
    Float = 1,
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Numbers::Integer => "quantised",
            Numbers::Float => "float",
        })
    }
}

/// Hash and description of a network file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// How the network was made, as free text.
    pub description: String,
    /// Hash of the whole file, which identifies the network.
    pub hash: u64,
}

/// A quantised or float network.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyNetwork {
    /// Quantised, for the engine.
    Integer(Network),
    /// Float, for the trainer.
    Float(FloatNetwork),
}

/// Why a network file cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileError {
    /// The magic bytes are missing.
    NotANetwork,
    /// The file is truncated, or has trailing bytes.
    Length {
        /// Expected length in bytes.
        expected: usize,
        /// Actual length in bytes.
        found: usize,
    },
    /// Unsupported version of the format.
    Version(u32),
    /// Float where quantised was expected, or the reverse.
    OtherNumbers(Numbers),
    /// Unknown number format.
    UnknownNumbers(u32),
    /// Unsupported number of king buckets.
    Inputs(u32),
    /// Unsupported shape.
    Shape(ShapeError),
    /// Unsupported number of output buckets.
    OutputBuckets(u32),
    /// Different quantisation constants.
    Quantisation {
        /// The name of the constant.
        name: &'static str,
        /// The expected value.
        expected: i32,
        /// The value in the file.
        found: u32,
    },
    /// The hash does not match the content.
    Damaged,
    /// The description is not UTF-8.
    Description,
    /// A weight or bias is so large that sums could overflow.
    WeightTooLarge {
        /// What it is.
        name: &'static str,
        /// The integer in the file.
        number: i32,
        /// The largest one.
        limit: i32,
    },
    /// A weight is not a finite number.
    NotFinite,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FileError::NotANetwork => f.write_str("not a Vedette network file"),
            FileError::Length { expected, found } if found < expected => {
                write!(f, "truncated: {found} bytes, expected {expected}")
            }
            FileError::Length { expected, found } => {
                write!(f, "{} trailing bytes after the network", found - expected)
            }
            FileError::Version(version) => {
                write!(f, "unsupported format version {version}: expected {VERSION} or {LAYERED_VERSION}")
            }
            FileError::OtherNumbers(Numbers::Float) => {
                f.write_str("float weights: expected a quantised network (vedette net export --format nnue)")
            }
            FileError::OtherNumbers(Numbers::Integer) => {
                f.write_str("quantised weights: expected a float network")
            }
            FileError::UnknownNumbers(code) => write!(f, "unknown number format {code}"),
            FileError::Inputs(code) => write!(f, "unsupported number of king buckets {code}"),
            FileError::Shape(error) => error.fmt(f),
            FileError::OutputBuckets(count) => {
                write!(f, "unsupported number of output buckets {count}: expected {OUTPUT_BUCKETS}")
            }
            FileError::Quantisation { name, expected, found } => {
                write!(f, "unsupported {name} {found}: expected {expected}")
            }
            FileError::Damaged => f.write_str("corrupted: hash mismatch"),
            FileError::Description => f.write_str("description is not UTF-8"),
            FileError::WeightTooLarge { name, number, limit } => {
                write!(f, "{name} {number} could overflow: the limit is {limit}")
            }
            FileError::NotFinite => f.write_str("non-finite weight"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<ShapeError> for FileError {
    fn from(error: ShapeError) -> FileError {
        FileError::Shape(error)
    }
}

/// The quantisation constants of the header, defined by [`shape`](crate::shape), in the file's order.
const fn quantisation(head: Head) -> [(&'static str, i32); 3] {
    let output = match head {
        Head::Single => OUTPUT_ONE,
        Head::Layered => layered::OUTPUT_ONE,
    };
    [("unit quantisation", UNIT_ONE), ("output quantisation", output), ("scale", SCALE)]
}

/// Bytes before the description of a network with this head.
const fn header_bytes(head: Head) -> usize {
    match head {
        Head::Single => HEADER,
        Head::Layered => HEADER + 4 * LAYERED_HEADER.len(),
    }
}

impl AnyNetwork {
    /// Reads a quantised or float network.
    ///
    /// # Errors
    /// If the bytes are not a valid network file.
    pub fn read(bytes: &[u8]) -> Result<(AnyNetwork, Label), FileError> {
        let Header { numbers, shape, hash, description, packed } = Header::read(bytes)?;
        let payload = packed.unwrap_or(payload_bytes(numbers, shape));
        let header = header_bytes(shape.head());
        let expected = header.saturating_add(description).saturating_add(payload);
        if bytes.len() != expected {
            return Err(FileError::Length { expected, found: bytes.len() });
        }
        let plain = match packed {
            None => Cow::Borrowed(bytes),
            Some(_) => Cow::Owned(unpacked(bytes, shape, header + description).ok_or(FileError::Damaged)?),
        };
        if hash != hash_of(&plain) {
            return Err(FileError::Damaged);
        }
        let (description, payload) = plain[header..].split_at(description);
        let description = str::from_utf8(description).map_err(|_| FileError::Description)?.to_owned();
        let network = match numbers {
            Numbers::Integer => AnyNetwork::Integer(read_integers(shape, payload)?),
            Numbers::Float => AnyNetwork::Float(read_floats(shape, payload)?),
        };
        Ok((network, Label { description, hash }))
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        match self {
            AnyNetwork::Integer(network) => network.shape(),
            AnyNetwork::Float(network) => network.shape,
        }
    }

    /// The number format.
    pub fn numbers(&self) -> Numbers {
        match self {
            AnyNetwork::Integer(_) => Numbers::Integer,
            AnyNetwork::Float(_) => Numbers::Float,
        }
    }

    /// The evaluation of a position in centipawns for the side to move; slow.
    pub fn evaluate(&self, position: &Position) -> f32 {
        match self {
            AnyNetwork::Integer(network) => network.evaluate_slow(position) as f32,
            AnyNetwork::Float(network) => network.evaluate(position),
        }
    }

    /// The network, quantised.
    pub fn into_integers(self) -> Network {
        match self {
            AnyNetwork::Integer(network) => network,
            AnyNetwork::Float(float) => float.quantise(),
        }
    }

    /// The network as floats.
    pub fn into_floats(self) -> FloatNetwork {
        match self {
            AnyNetwork::Integer(network) => network.to_float(),
            AnyNetwork::Float(float) => float,
        }
    }
}

impl Network {
    /// Reads a network that the engine can use.
    ///
    /// # Errors
    /// If the bytes are not a valid network file.
    pub fn read(bytes: &[u8]) -> Result<(Network, Label), FileError> {
        match AnyNetwork::read(bytes)? {
            (AnyNetwork::Integer(network), label) => Ok((network, label)),
            (AnyNetwork::Float(_), _) => Err(FileError::OtherNumbers(Numbers::Float)),
        }
    }

    /// The file of this network, with its integers packed.
    pub fn write(&self, description: &str) -> Vec<u8> {
        let lists = self.lists();
        let plain = self.write_plainly(&lists, description);
        let weights = header_bytes(self.shape.head()) + description.len();
        let mut bytes = plain[..weights].to_vec();
        let layout = FileLayout::of(self.shape);
        pack(lists.iter().flatten().take(layout.packed).map(|&number| number as i16), &mut bytes);
        bytes.extend(&plain[weights + 2 * layout.packed..]);
        let length = (bytes.len() - weights) as u32;
        put(&mut bytes, NUMBERS_AT, PACKED);
        put(&mut bytes, PACKED_LENGTH_AT, length);
        bytes
    }

    /// The file of this network without packing, by which it is named.
    fn write_plainly(&self, lists: &[Vec<i32>; LISTS], description: &str) -> Vec<u8> {
        let mut bytes = begin(Numbers::Integer, self.shape, description);
        for (list, width) in lists.iter().zip(WIDTHS) {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)));
        }
        finish(bytes)
    }
}

/// Bytes of an integer of each list that is not packed.
const WIDTHS: [usize; LISTS] = [2, 2, 2, 4, 2, 4, 2, 4];

/// Where the integers of a network are.
struct FileLayout {
    /// The number of integers at the front that are packed.
    packed: usize,
    /// Bytes of the other ones.
    rest: usize,
}

impl FileLayout {
    fn of(shape: Shape) -> FileLayout {
        let lists = shape.lists();
        // Those of the single layer, of which the three lists between are empty; those of the first layer.
        let packed = match shape.head() {
            Head::Single => LISTS - 1,
            Head::Layered => 3,
        };
        FileLayout {
            packed: lists[..packed].iter().map(|list| list.count).sum(),
            rest: lists.iter().zip(WIDTHS).skip(packed).map(|(list, width)| list.count * width).sum(),
        }
    }
}

/// A file of packed integers as it would be without packing; `None` if they are not those of the shape.
fn unpacked(bytes: &[u8], shape: Shape, weights_at: usize) -> Option<Vec<u8>> {
    let layout = FileLayout::of(shape);
    let (before, payload) = bytes.split_at(weights_at);
    let (mut packed, rest) = payload.split_at_checked(payload.len().checked_sub(layout.rest)?)?;
    let weights = unpack(&mut packed, layout.packed)?;
    if !packed.is_empty() {
        return None;
    }
    let mut plain = Vec::with_capacity(weights_at + 2 * weights.len() + rest.len());
    plain.extend(before);
    plain.extend(weights.into_iter().flat_map(i16::to_le_bytes));
    plain.extend(rest);
    put(&mut plain, NUMBERS_AT, Numbers::Integer as u32);
    put(&mut plain, PACKED_LENGTH_AT, 0);
    Some(plain)
}

/// Writes a number over another one.
fn put(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

impl FloatNetwork {
    /// Reads a network of floating-point weights.
    ///
    /// # Errors
    /// If the bytes are not a valid network file.
    pub fn read(bytes: &[u8]) -> Result<(FloatNetwork, Label), FileError> {
        match AnyNetwork::read(bytes)? {
            (AnyNetwork::Float(network), label) => Ok((network, label)),
            (AnyNetwork::Integer(_), _) => Err(FileError::OtherNumbers(Numbers::Integer)),
        }
    }

    /// The file of this network.
    ///
    /// # Panics
    /// If the network is not [complete](Self::is_complete).
    pub fn write(&self, description: &str) -> Vec<u8> {
        assert!(self.is_complete(), "the lists have the lengths of the shape");
        let mut bytes = begin(Numbers::Float, self.shape, description);
        for list in self.lists() {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        finish(bytes)
    }
}

struct Header {
    numbers: Numbers,
    shape: Shape,
    hash: u64,
    /// Bytes of the description.
    description: usize,
    /// Bytes of the integers, if they are packed.
    packed: Option<usize>,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Header, FileError> {
        if !bytes.iter().zip(MAGIC).all(|(&byte, magic)| byte == magic) || bytes.is_empty() {
            return Err(FileError::NotANetwork);
        }
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Err(FileError::Length { expected: HEADER, found: bytes.len() });
        };
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let head = match word(8) {
            VERSION => Head::Single,
            LAYERED_VERSION => Head::Layered,
            other => return Err(FileError::Version(other)),
        };
        let numbers = match word(NUMBERS_AT) {
            0 | PACKED => Numbers::Integer,
            1 => Numbers::Float,
            other => return Err(FileError::UnknownNumbers(other)),
        };
        let packed = (word(NUMBERS_AT) == PACKED).then(|| word(PACKED_LENGTH_AT) as usize);
        let shape = Shape::new(word(20) as usize)?;
        let shape = shape.with_king_buckets(word(16) as usize).map_err(|_| FileError::Inputs(word(16)))?;
        let shape = shape.with_head(head)?;
        if word(24) != OUTPUT_BUCKETS as u32 {
            return Err(FileError::OutputBuckets(word(24)));
        }
        let constant = |(name, expected): (&'static str, i32), found: u32| {
            if found == expected as u32 {
                Ok(())
            } else {
                Err(FileError::Quantisation { name, expected, found })
            }
        };
        for (index, expected) in quantisation(head).into_iter().enumerate() {
            constant(expected, word(28 + 4 * index))?;
        }
        if head == Head::Layered {
            let Some(words) = bytes.get(HEADER..header_bytes(head)) else {
                return Err(FileError::Length { expected: header_bytes(head), found: bytes.len() });
            };
            for (expected, &bytes) in LAYERED_HEADER.into_iter().zip(words.as_chunks::<4>().0) {
                constant(expected, u32::from_le_bytes(bytes))?;
            }
        }
        let hash = u64::from(word(HASH_AT)) | u64::from(word(HASH_AT + 4)) << 32;
        Ok(Header { numbers, shape, hash, description: word(48) as usize, packed })
    }
}

/// Header and description of a file whose hash is not known yet.
fn begin(numbers: Numbers, shape: Shape, description: &str) -> Vec<u8> {
    let head = shape.head();
    let length = header_bytes(head) + description.len() + payload_bytes(numbers, shape);
    let mut bytes = Vec::with_capacity(length);
    bytes.extend(MAGIC);
    let mut word = |number: u32| bytes.extend(number.to_le_bytes());
    word(match head {
        Head::Single => VERSION,
        Head::Layered => LAYERED_VERSION,
    });
    word(numbers as u32);
    word(shape.king_buckets() as u32);
    word(shape.hidden() as u32);
    word(OUTPUT_BUCKETS as u32);
    for (_, number) in quantisation(head) {
        word(number as u32);
    }
    word(0);
    word(0);
    word(description.len() as u32);
    word(0);
    if head == Head::Layered {
        for (_, number) in LAYERED_HEADER {
            word(number as u32);
        }
    }
    bytes.extend(description.as_bytes());
    bytes
}

fn finish(mut bytes: Vec<u8>) -> Vec<u8> {
    let hash = hash_of(&bytes).to_le_bytes();
    bytes[HASH_AT..HASH_AT + 8].copy_from_slice(&hash);
    bytes
}

/// Writes the hash into a file of unpacked numbers that was changed, so that tests reach the content.
#[doc(hidden)]
pub fn reseal(bytes: &mut [u8]) {
    if bytes.len() >= HEADER {
        let hash = hash_of(bytes).to_le_bytes();
        bytes[HASH_AT..HASH_AT + 8].copy_from_slice(&hash);
    }
}

fn payload_bytes(numbers: Numbers, shape: Shape) -> usize {
    let FileLayout { packed, rest } = FileLayout::of(shape);
    match numbers {
        Numbers::Integer => 2 * packed + rest,
        Numbers::Float => shape.lists().iter().map(|list| 4 * list.count).sum(),
    }
}

/// 64-bit FNV-1a over everything but the hash itself.
fn hash_of(bytes: &[u8]) -> u64 {
    support::hash::fnv1a(bytes[..HASH_AT].iter().chain(&bytes[HASH_AT + 8..]).copied())
}

fn read_integers(shape: Shape, payload: &[u8]) -> Result<Network, FileError> {
    let mut rest = payload;
    let mut of = shape.lists().into_iter().zip(WIDTHS);
    let mut next = || -> Result<Vec<i32>, FileError> {
        let Some((list, width)) = of.next() else { return Ok(Vec::new()) };
        let Some((bytes, after)) = rest.split_at_checked(list.count * width) else {
            return Err(FileError::Length {
                expected: payload_bytes(Numbers::Integer, shape),
                found: payload.len(),
            });
        };
        rest = after;
        let numbers: Vec<i32> = if width == 2 {
            bytes.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes).into()).collect()
        } else {
            bytes.as_chunks::<4>().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect()
        };
        let limit = list.max();
        let largest = numbers.iter().copied().max_by_key(|number| number.unsigned_abs());
        match largest.filter(|number| number.unsigned_abs() > limit.unsigned_abs()) {
            Some(number) => Err(FileError::WeightTooLarge { name: list.name, number, limit }),
            None => Ok(numbers),
        }
    };
    let rows = |numbers: Vec<i32>| Row::pack(numbers.into_iter().map(|number| number as i16));
    let (feature_weights, feature_bias) = (rows(next()?), rows(next()?));
    let mut head = HeadLists::default();
    for list in &mut head {
        *list = next()?;
    }
    Ok(Network { shape, feature_weights, feature_bias, layers: Layers::new(shape, &head) })
}

fn read_floats(shape: Shape, payload: &[u8]) -> Result<FloatNetwork, FileError> {
    let mut numbers = payload.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
    let mut lists = shape.lists().map(|list| Vec::with_capacity(list.count));
    for (list, of) in lists.iter_mut().zip(shape.lists()) {
        list.extend(numbers.by_ref().take(of.count));
        if !list.iter().all(|number| number.is_finite()) {
            return Err(FileError::NotFinite);
        }
    }
    Ok(FloatNetwork::from_lists(shape, lists))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: &str = "A random network.\nSeed: 7 – nothing was learned.";

    fn float() -> FloatNetwork {
        FloatNetwork::random(Shape::new(64).unwrap(), 7)
    }

    fn shape(head: Head) -> Shape {
        Shape::new(128).unwrap().with_king_buckets(4).unwrap().with_head(head).unwrap()
    }

    fn file() -> Vec<u8> {
        float().quantise().write(RECIPE)
    }

    fn plain_file() -> Vec<u8> {
        let network = float().quantise();
        network.write_plainly(&network.lists(), RECIPE)
    }

    /// The plain file with a number changed, and the hash made to fit again.
    fn forged(at: usize, number: u32) -> Vec<u8> {
        let mut bytes = plain_file();
        put(&mut bytes, at, number);
        finish(bytes)
    }

    #[test]
    fn write_and_read_back() {
        let network = float().quantise();
        let (read, label) = Network::read(&network.write(RECIPE)).unwrap();
        assert_eq!(read, network);
        assert_eq!(label.description, RECIPE);
        let (read, label) = FloatNetwork::read(&float().write("")).unwrap();
        assert_eq!(read, float());
        assert_eq!(label.description, "");
    }

    #[test]
    fn layered_networks_write_and_read_back() {
        let network = FloatNetwork::random(shape(Head::Layered), 7);
        let integers = network.quantise();
        let (packed, plain) = (integers.write(RECIPE), integers.write_plainly(&integers.lists(), RECIPE));
        assert!(packed.len() < plain.len() * 2 / 3, "{} and {}", packed.len(), plain.len());
        for file in [&packed, &plain] {
            let (read, label) = Network::read(file).unwrap();
            assert!(read == integers && label.description == RECIPE);
            for at in (0..400).chain((400..file.len()).step_by(1009)) {
                let mut damaged = file.clone();
                damaged[at] ^= 0x10;
                assert!(Network::read(&damaged).is_err(), "byte {at}");
                assert!(Network::read(&file[..at]).is_err(), "{at} bytes");
            }
        }
        assert_eq!(Network::read(&packed).unwrap().1, Network::read(&plain).unwrap().1);
        let file = network.write(RECIPE);
        let (read, label) = FloatNetwork::read(&file).unwrap();
        assert!(read == network);
        assert_eq!(label.description, RECIPE);
        for (at, name) in [(28, "unit"), (32, "output"), (56, "size of the first"), (68, "of the second")] {
            let mut forged = file.clone();
            put(&mut forged, at, 7);
            let error = FloatNetwork::read(&finish(forged)).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(" 7: expected"), "{error}");
        }
        for length in (0..400).chain([file.len() - 1]) {
            assert!(FloatNetwork::read(&file[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn packing_changes_only_the_file() {
        let (packed, plain) = (file(), plain_file());
        assert!(packed.len() < plain.len() * 2 / 3, "{} and {}", packed.len(), plain.len());
        assert_eq!(Network::read(&packed).unwrap(), Network::read(&plain).unwrap());
    }

    #[test]
    fn packed_length_must_match() {
        let packed = file();
        let with_length = |mut bytes: Vec<u8>, length: usize| {
            put(&mut bytes, PACKED_LENGTH_AT, length as u32);
            Network::read(&bytes).unwrap_err()
        };
        let payload = packed.len() - HEADER - RECIPE.len();
        let fewer = [&packed[..packed.len() - 33], &packed[packed.len() - 32..]].concat();
        assert_eq!(with_length(fewer, payload - 1), FileError::Damaged);
        let more = [packed.as_slice(), b"!"].concat();
        assert_eq!(with_length(more, payload + 1), FileError::Damaged);
        let nothing = packed[..HEADER + RECIPE.len()].to_vec();
        assert_eq!(with_length(nothing, 0), FileError::Damaged);
    }

    #[test]
    fn networks_differ_by_their_hash() {
        let hash = |bytes: &[u8]| AnyNetwork::read(bytes).unwrap().1.hash;
        let other = FloatNetwork::random(Shape::new(64).unwrap(), 8).quantise().write(RECIPE);
        assert_ne!(hash(&file()), hash(&other));
        assert_eq!(hash(&file()), hash(&file()));
    }

    #[test]
    fn every_changed_byte_is_detected() {
        let bytes = file();
        // All of the header and the description, and then enough of the weights.
        for at in (0..300).chain((300..bytes.len()).step_by(997)) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Network::read(&damaged).is_err(), "byte {at}");
        }
    }

    #[test]
    fn every_truncation_is_detected() {
        let bytes = file();
        for length in (0..300).chain((300..bytes.len()).step_by(997)) {
            let error = Network::read(&bytes[..length]).unwrap_err();
            assert!(matches!(error, FileError::Length { .. }) || length == 0, "{length}: {error}");
        }
        let longer = [bytes.as_slice(), b"!"].concat();
        assert_eq!(Network::read(&longer).unwrap_err().to_string(), "1 trailing bytes after the network");
    }

    #[test]
    fn foreign_files_are_rejected() {
        use FileError as E;
        assert_eq!(Network::read(b"").unwrap_err(), E::NotANetwork);
        assert_eq!(Network::read(b"[Event \"?\"]").unwrap_err(), E::NotANetwork);
        assert_eq!(Network::read(&forged(8, 3)).unwrap_err(), E::Version(3));
        assert_eq!(Network::read(&forged(12, 9)).unwrap_err(), E::UnknownNumbers(9));
        assert_eq!(Network::read(&forged(16, 2)).unwrap_err(), E::Inputs(2));
        assert_eq!(Network::read(&forged(20, 65)).unwrap_err(), E::Shape(ShapeError::Hidden(65)));
        assert_eq!(Network::read(&forged(24, 1)).unwrap_err(), E::OutputBuckets(1));
        let quantisation =
            E::Quantisation { name: quantisation(Head::Single)[0].0, expected: UNIT_ONE, found: 255 };
        assert_eq!(Network::read(&forged(28, 255)).unwrap_err(), quantisation);
        assert!(matches!(Network::read(&forged(48, u32::MAX)).unwrap_err(), E::Length { .. }));
        assert_eq!(Network::read(&float().write("")).unwrap_err(), E::OtherNumbers(Numbers::Float));
        assert_eq!(FloatNetwork::read(&file()).unwrap_err(), E::OtherNumbers(Numbers::Integer));
    }

    #[test]
    fn weights_that_could_overflow_are_rejected() {
        // The first number of each list.
        for shape in [shape(Head::Single), shape(Head::Layered)] {
            let network = FloatNetwork::random(shape, 7).quantise();
            let plain = network.write_plainly(&network.lists(), RECIPE);
            let mut at = header_bytes(shape.head()) + RECIPE.len();
            for (list, width) in shape.lists().into_iter().zip(WIDTHS).filter(|(list, _)| list.count > 0) {
                for wild in [list.max() + 1, -list.max() - 1] {
                    let mut bytes = plain.clone();
                    bytes[at..at + width].copy_from_slice(&wild.to_le_bytes()[..width]);
                    let error = Network::read(&finish(bytes)).unwrap_err();
                    let expected =
                        FileError::WeightTooLarge { name: list.name, number: wild, limit: list.max() };
                    assert_eq!(error, expected);
                }
                at += list.count * width;
            }
            assert_eq!(at, plain.len());
        }
        let text = FileError::WeightTooLarge { name: "feature weight", number: 993, limit: 992 }.to_string();
        assert_eq!(text, "feature weight 993 could overflow: the limit is 992");
        let mut wild = float();
        wild.output_bias[2] = f32::NAN;
        assert_eq!(FloatNetwork::read(&wild.write("")).unwrap_err(), FileError::NotFinite);
    }

    #[test]
    fn description_must_be_utf8() {
        let mut bytes = plain_file();
        bytes[HEADER] = 0xff;
        assert_eq!(Network::read(&finish(bytes)).unwrap_err(), FileError::Description);
    }
}
