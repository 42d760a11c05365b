/**
 * Compressed responses (RFC 9110 §8.4, §12.5.3), for documents that contain neither secrets nor request data, so that
 * compression reveals nothing (attack: BREACH).
 */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip";

/** Higher levels take several times as long for a saving of two percent. */
const COMPRESS: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Buffer<ArrayBuffer>>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 8 }),
};

/** Returns the bytes of a document in an encoding, compressed on first use. */
export type Packed = (encoding: Encoding) => Promise<Buffer<ArrayBuffer>>;

export function packedForms(bytes: Uint8Array): Packed {
  const forms = new Map<Encoding, Promise<Buffer<ArrayBuffer>>>();
  return (encoding) => {
    const form = forms.get(encoding) ?? COMPRESS[encoding](bytes);
    forms.set(encoding, form);
    return form;
  };
}

/** Returns the accepted encoding that compresses best; weights other than 0 are ignored. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  const accepted = new Map<string, boolean>();
  for (const part of String(header ?? "")
    .slice(0, 1_000)
    .split(",")) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    accepted.set(name, !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter)));
  }
  const accepts = (name: Encoding) => accepted.get(name) ?? accepted.get("*") ?? false;
  if (accepts("br")) return "br";
  return accepts("gzip") ? "gzip" : undefined;
}
