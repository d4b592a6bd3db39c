// Animated GIF: a palette, and frames that are parts of the picture.

/** Red, green, blue and alpha, 8 bits each. */
type Pixels = Uint8ClampedArray | Uint8Array;

/** Colours are told apart by 5 bits of each of their parts. */
const LEVELS = 32;
const MAX_COLORS = 256;
/** Codes of the compression have at most 12 bits. */
const MAX_CODES = 4096;

export interface GifFrame {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  pixels: Pixels;
  /** How long it is shown, in seconds. */
  seconds: number;
}

/** The colours of a picture: at most 256, the most frequent ones. */
export class Palette {
  readonly colors: [number, number, number][];
  /** The index of each colour, by its cell; those that are not in the sample are found when they are needed. */
  private indexes = new Int16Array(LEVELS ** 3).fill(-1);

  /** The sample has every colour that matters. */
  constructor(sample: Pixels) {
    const counts = new Map<number, [number, number]>();
    for (let at = 0; at < sample.length; at += 4) {
      const color = (sample[at]! << 16) | (sample[at + 1]! << 8) | sample[at + 2]!;
      const cell = cellOf(sample, at);
      const known = counts.get(cell);
      if (known) known[1]++;
      else counts.set(cell, [color, 1]);
    }
    const frequent = [...counts].sort((a, b) => b[1][1] - a[1][1]).slice(0, MAX_COLORS);
    this.colors = frequent.map(([, [color]]) => [color >> 16, (color >> 8) & 255, color & 255]);
    for (const [index, [cell]] of frequent.entries()) this.indexes[cell] = index;
  }

  /** The indexes of the colours that are nearest to those of the pixels. */
  indexesOf(pixels: Pixels): Uint8Array {
    const found = new Uint8Array(pixels.length / 4);
    for (let at = 0; at < pixels.length; at += 4) {
      const cell = cellOf(pixels, at);
      if (this.indexes[cell]! < 0) this.indexes[cell] = this.nearest(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!);
      found[at / 4] = this.indexes[cell]!;
    }
    return found;
  }

  private nearest(red: number, green: number, blue: number): number {
    const far = ([r, g, b]: [number, number, number]): number =>
      2 * (r - red) ** 2 + 4 * (g - green) ** 2 + (b - blue) ** 2;
    let best = 0;
    for (const [index, color] of this.colors.entries()) if (far(color) < far(this.colors[best]!)) best = index;
    return best;
  }
}

function cellOf(pixels: Pixels, at: number): number {
  return ((pixels[at]! >> 3) << 10) | ((pixels[at + 1]! >> 3) << 5) | (pixels[at + 2]! >> 3);
}

/** Writes an animation that repeats for ever. */
export class GifWriter {
  private parts: Uint8Array<ArrayBuffer>[] = [];
  /** Bits of an index into the palette. */
  private bits: number;

  constructor(
    width: number,
    height: number,
    private palette: Palette,
  ) {
    this.bits = Math.max(2, Math.ceil(Math.log2(palette.colors.length)));
    const table = new Uint8Array(3 * 2 ** this.bits);
    table.set(palette.colors.flat());
    this.add([...ascii('GIF89a'), ...short(width), ...short(height), 0xf0 | (this.bits - 1), 0, 0]);
    this.parts.push(table);
    this.add([0x21, 0xff, 11, ...ascii('NETSCAPE2.0'), 3, 1, 0, 0, 0]);
  }

  frame({ x, y, width, height, pixels, seconds }: GifFrame): void {
    // What is not in the frame stays as it was.
    this.add([0x21, 0xf9, 4, 0b100, ...short(Math.round(seconds * 100)), 0, 0]);
    this.add([0x2c, ...short(x), ...short(y), ...short(width), ...short(height), 0, this.bits]);
    const packed = compress(this.palette.indexesOf(pixels), this.bits);
    for (let at = 0; at < packed.length; at += 255) {
      const block = packed.subarray(at, at + 255);
      this.add([block.length]);
      this.parts.push(block);
    }
    this.add([0]);
  }

  /** The file. */
  end(): Blob {
    this.add([0x3b]);
    return new Blob(this.parts, { type: 'image/gif' });
  }

  private add(bytes: number[]): void {
    this.parts.push(new Uint8Array(bytes));
  }
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

/** A number in two bytes, the low one first. */
function short(value: number): [number, number] {
  return [value & 255, value >> 8];
}

/** LZW with codes of growing length, as GIF has it. */
export function compress(indexes: Uint8Array, bits: number): Uint8Array<ArrayBuffer> {
  const [clear, end] = [2 ** bits, 2 ** bits + 1];
  // Codes of one index each: the packed text is never longer than this.
  let out = new Uint8Array(indexes.length + 1024);
  let [length, buffer, held] = [0, 0, 0];
  const put = (code: number, size: number): void => {
    buffer |= code << held;
    for (held += size; held >= 8; held -= 8, buffer >>>= 8) {
      if (length === out.length) {
        const longer = new Uint8Array(2 * length);
        longer.set(out);
        out = longer;
      }
      out[length++] = buffer & 255;
    }
  };
  let known = new Map<number, number>();
  let [next, size] = [end + 1, bits + 1];
  put(clear, size);
  let prefix = -1;
  for (const index of indexes) {
    if (prefix < 0) {
      prefix = index;
      continue;
    }
    const word = (prefix << 8) | index;
    const code = known.get(word);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix, size);
    prefix = index;
    if (next === MAX_CODES) {
      put(clear, size);
      known = new Map();
      [next, size] = [end + 1, bits + 1];
      continue;
    }
    if (next === 2 ** size) size++;
    known.set(word, next++);
  }
  if (prefix >= 0) put(prefix, size);
  // The reader's table has grown by the last code.
  if (next === 2 ** size && size < 12) size++;
  put(end, size);
  put(0, (8 - (held % 8)) % 8);
  return out.subarray(0, length);
}
