/** Reads an export of another system from its file, as often as needed, without keeping it in memory. */
import { createReadStream } from "node:fs";
import { PassThrough, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import Papa from "papaparse";
import { auth0 } from "./sources/auth0";
import { CSV_COLUMNS, csv, isCsvColumn } from "./sources/csv";
import { firebase } from "./sources/firebase";
import type { Exported, ExportSource } from "./sources/found";
import { type JsonPart, readJsonParts, UnreadableExport } from "./sources/json-parts";
import { keycloak } from "./sources/keycloak";
import { okta } from "./sources/okta";
import { zitadel } from "./sources/zitadel";

export const EXPORT_SOURCES: Readonly<Record<string, ExportSource>> = { zitadel, keycloak, auth0, firebase, okta, csv };

/** Yields what the file contains. @throws UnreadableExport with the place of the first mistake */
export async function* readExport(source: ExportSource, path: string): AsyncGenerator<Exported> {
  let isRecognized = false;
  const chunks = decoded(open(path));
  for await (const part of source.json ? readJsonParts(chunks, source.json) : readRows(chunks)) {
    isRecognized ||= source.isRecognized(part);
    yield* source.read(part);
  }
  if (!isRecognized)
    throw new UnreadableExport(`the file is not an export of ${source.name}, or of an unknown version`);
}

/** The bytes of the file, decompressed if its name ends in `.gz`. */
function open(path: string): Readable {
  // An error of one stream ends the other, and the reader gets it.
  return pipeline(createReadStream(path), path.endsWith(".gz") ? createGunzip() : new PassThrough(), () => undefined);
}

async function* decoded(bytes: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new UnreadableExport("there is no such file");
    throw new UnreadableExport(code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "the file is not UTF-8 text" : message);
  }
}

/** Yields the rows of CSV (RFC 4180) as objects by the columns that the first row names. */
async function* readRows(chunks: AsyncIterable<string>): AsyncGenerator<JsonPart> {
  const rows = Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: ",", skipEmptyLines: "greedy" });
  pipeline(chunks, rows, () => undefined);
  let names: string[] | undefined;
  let line = 0;
  for await (const row of rows as AsyncIterable<string[]>) {
    line++;
    if (names === undefined) {
      names = readHead(row);
      continue;
    }
    if (row.length !== names.length) {
      const much = `has ${row.length} columns instead of ${names.length}`;
      throw new UnreadableExport(`row ${line}: ${much}, the file may be truncated`);
    }
    const cells = names.map((name, index) => [name, row[index] ?? ""]);
    yield { path: [line], value: Object.fromEntries(cells), line };
  }
  if (names === undefined) throw new UnreadableExport("the file is empty");
}

function readHead(row: readonly string[]): string[] {
  const names = row.map((name) => name.replace("\ufeff", "").trim());
  const unknown = names.find((name) => !isCsvColumn(name));
  const known = CSV_COLUMNS.join(", ");
  if (unknown !== undefined) throw new UnreadableExport(`row 1: there is no column "${unknown}"; known: ${known}`);
  if (!names.includes("userName")) throw new UnreadableExport("row 1: the column userName is missing");
  if (new Set(names).size !== names.length) throw new UnreadableExport("row 1: a column appears twice");
  return names;
}
