// The geometry of sliding pieces, shared by the build script, which fills the attack table, and by
// `attacks.rs`, which reads it. (No `//!` here: the file is included, not a module.)

/// Entries of the attack table: 102,400 for rooks, then 5,248 for bishops.
pub const TABLE_SIZE: usize = 102_400 + 5_248;

pub const ROOK_DIRECTIONS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub const BISHOP_DIRECTIONS: [(i32, i32); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// The squares that a slider on `square` attacks, up to a blocker or the edge. With `inner` the last square
/// of every ray is excluded, because it cannot block.
pub const fn walk(square: usize, directions: &[(i32, i32); 4], occupied: u64, inner: bool) -> u64 {
    let mut reached = 0;
    let mut d = 0;
    while d < 4 {
        let (file_step, rank_step) = directions[d];
        let mut file = (square % 8) as i32 + file_step;
        let mut rank = (square / 8) as i32 + rank_step;
        while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            let (next_file, next_rank) = (file + file_step, rank + rank_step);
            let last = next_file < 0 || next_file > 7 || next_rank < 0 || next_rank > 7;
            if inner && last {
                break;
            }
            let bit = 1 << (rank * 8 + file);
            reached |= bit;
            if occupied & bit != 0 {
                break;
            }
            (file, rank) = (next_file, next_rank);
        }
        d += 1;
    }
    reached
}

/// The slice of the attack table for one square.
#[derive(Clone, Copy)]
pub struct Slider {
    /// The squares whose occupancy matters.
    pub mask: u64,
    /// Magic number: maps every occupancy of the mask to an index of its own, or one shared with an equal
    /// result.
    pub magic: u64,
    /// Index of the first entry.
    pub offset: usize,
}

impl Slider {
    pub const NONE: Slider = Slider { mask: 0, magic: 0, offset: 0 };
}

/// The sliders of one kind for all squares, with slices from `offset` on.
pub const fn sliders(directions: &[(i32, i32); 4], magics: &[u64; 64], mut offset: usize) -> [Slider; 64] {
    let mut all = [Slider::NONE; 64];
    let mut square = 0;
    while square < 64 {
        let mask = walk(square, directions, 0, true);
        all[square] = Slider { mask, magic: magics[square], offset };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    all
}

pub const ROOKS: [Slider; 64] = sliders(&ROOK_DIRECTIONS, &ROOK_MAGICS, 0);
pub const BISHOPS: [Slider; 64] = sliders(&BISHOP_DIRECTIONS, &BISHOP_MAGICS, 102_400);

// Found by trying sparse random numbers until every occupancy of the mask had an index of its own.
#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x2080002040001084, 0x00C010002000C001, 0x4080082000100080, 0x0200060040110820,
    0x0600106002000408, 0x2900110014004208, 0x0200040102000088, 0x0300082040810002,
    0x0120802040008000, 0x3020808020004000, 0x0E00802000801002, 0x0001000D00100020,
    0x0040800802040080, 0x0082000200100804, 0x0010808100020080, 0x1040800040800100,
    0x10400080002C9040, 0x2810044000200842, 0x0110002008002402, 0x4000090010010021,
    0x0848008004008008, 0x0010808002000400, 0x02C0808002000100, 0x0222120012840551,
    0x0080400080008022, 0x0440100040200040, 0x0041001700200040, 0x1001002100100408,
    0x0008020040400400, 0x0000020080800400, 0x0001004100420004, 0x18052C0A00048845,
    0x1000204010800080, 0x9A00201004400044, 0x0248208042001200, 0x0A08000C80801000,
    0x0006800400800802, 0x3022000802001004, 0x4002285004005122, 0x404308A402001043,
    0x0480204000808001, 0x0850002000404000, 0x1400408200120020, 0x004C100008008080,
    0x4000040008008080, 0x1002000408020010, 0x1000300201140048, 0x010000A400420001,
    0x0040015820800180, 0x0002002440811600, 0x4000100020008280, 0xA402004020081200,
    0x5002000409201200, 0xD008102040040801, 0x0042A3088A100C00, 0x2000008400410200,
    0x8042170020820042, 0x020C210042120282, 0x1300420008208012, 0x01030028200DB001,
    0x0043000428001007, 0x2001000208040001, 0x0000480100900204, 0x010B000428814201,
];

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x0020324088010048, 0x1430140088860010, 0x001602020A000206, 0xD004104202208000,
    0x0008484013000008, 0x1000880442004400, 0x0C22220222405100, 0x000A404808084202,
    0x0D0808A101020204, 0x1210341044450221, 0x2402508102002200, 0x0000224081000020,
    0x00C0811040012000, 0x02040D1002100001, 0x0008806202202080, 0x20010204A2011000,
    0x0008810690500A02, 0x0262006094040080, 0x1030000800401820, 0x1020400401012000,
    0x110A820400A01601, 0x0089000811009001, 0x0300802414040202, 0x08012002CC140400,
    0x4042401008280840, 0x0201108920022208, 0x8002241208004404, 0x0094080000220040,
    0x0609004513004002, 0x4408002001100800, 0x0004090094484208, 0x0011060080208400,
    0x8584249422401108, 0x0001042010100100, 0x82402C0108100300, 0x0060020080080080,
    0x0040110200010880, 0x0004080200002089, 0x000D420600040131, 0x4CA0A4030C808080,
    0x0049111040401080, 0x0002011008020240, 0x004042024040A409, 0xA5001C2018008906,
    0x000A882103001012, 0x82214E0800408202, 0x1104103408401100, 0x0828083280A20280,
    0x0001014802400000, 0x1081044804240028, 0x0000235044100020, 0x042AB00884040104,
    0x20200010C2020080, 0x0480A08410008002, 0x008D10048D140002, 0x0002220226120180,
    0x0500210042202000, 0xA062144518084202, 0x0100818081486800, 0x0010000004420200,
    0x0082208020924C00, 0x0020201110300920, 0x0070200810610040, 0x0240102882068024,
];
