/**
 * Detects pictures by their first bytes, never by their name or declared type (attack: a script disguised as a
 * picture). Only PNG, JPEG and WebP are accepted: they contain pixels, whereas an SVG is a document that can contain
 * scripts.
 */

export type PictureType = "image/png" | "image/jpeg" | "image/webp";

export interface PictureFacts {
  contentType: PictureType;
  /** Pixels; pages reserve the space, so that the layout does not shift. */
  width: number;
  height: number;
}

/** Returns the size of a GIF (GIF89a §18). Brands do not have it, as it moves; clients send it as their logo. */
export function readGif(bytes: Uint8Array): Pick<PictureFacts, "width" | "height"> | undefined {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return undefined;
  const view = viewOf(bytes);
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Returns the type and size; undefined for anything else, and for pictures without a size. */
export function readPicture(bytes: Uint8Array): PictureFacts | undefined {
  const facts = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  return facts && facts.width > 0 && facts.height > 0 ? facts : undefined;
}

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads PNG (Third Edition) §5.2 and §11.2.1: the signature, then the header chunk. */
function readPng(bytes: Uint8Array): PictureFacts | undefined {
  if (bytes.length < 33 || ascii(bytes, 0, 8) !== "\x89PNG\r\n\x1a\n" || ascii(bytes, 12, 16) !== "IHDR")
    return undefined;
  const view = viewOf(bytes);
  return { contentType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

/** Reads JPEG, ITU-T T.81 §B.1–B.2: segments up to the one that begins the frame. */
function readJpeg(bytes: Uint8Array): PictureFacts | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return undefined;
  const view = viewOf(bytes);
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    // C0 to CF begin a frame, except DHT (C4), JPG (C8) and DAC (CC).
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { contentType: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Reads WebP, RFC 9649 §2: RIFF, then a lossy, lossless or extended picture. */
function readWebp(bytes: Uint8Array): PictureFacts | undefined {
  if (bytes.length < 30 || ascii(bytes, 0, 4) !== "RIFF" || ascii(bytes, 8, 12) !== "WEBP") return undefined;
  const view = viewOf(bytes);
  const contentType = "image/webp";
  switch (ascii(bytes, 12, 16)) {
    case "VP8 ":
      return { contentType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { contentType, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X": {
      const int24 = (at: number) => view.getUint16(at, true) + ((bytes[at + 2] ?? 0) << 16) + 1;
      return { contentType, width: int24(24), height: int24(27) };
    }
    default:
      return undefined;
  }
}
