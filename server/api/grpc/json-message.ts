/**
 * Messages that are given as their JSON (the proto3 JSON mapping), written without being built: the reflection of the
 * library takes several times as long. Members that a message does not have are left out.
 */
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

export class JsonMessage {
  constructor(readonly json: object) {}
}

type Json = Readonly<Record<string, unknown>>;

/** JSON of these types is not an object with the names of their fields. */
const isWellKnown = ({ typeName }: DescMessage) => typeName.startsWith("google.protobuf.");

/** Returns the JSON of a message of this type. */
export function messageJson(type: DescMessage, json: object): Json {
  const known: Record<string, unknown> = {};
  for (const field of type.fields) {
    const value = (json as Json)[field.jsonName];
    const shown = value === undefined || value === null ? undefined : jsonOfField(field, value);
    if (shown !== undefined) known[field.jsonName] = shown;
  }
  return known;
}

function jsonOfField(field: DescField, value: unknown): unknown {
  const one = (item: unknown) => {
    if (field.enum) return numberOf(field.enum, item) === undefined ? undefined : item;
    return field.message && !isWellKnown(field.message) ? messageJson(field.message, item as object) : item;
  };
  if (field.fieldKind === "list") return (value as unknown[]).map(one).filter((item) => item !== undefined);
  if (field.fieldKind !== "map") return one(value);
  return Object.fromEntries(Object.entries(value as Json).map(([key, item]) => [key, one(item)]));
}

/** Returns the bytes of a message of this type. */
export const bytesOf = (type: DescMessage, json: object): Uint8Array<ArrayBuffer> =>
  writeMessage(new BinaryWriter(), type, json).finish();

function writeMessage(writer: BinaryWriter, type: DescMessage, json: object): BinaryWriter {
  for (const field of type.fields) {
    const value = (json as Json)[field.jsonName];
    if (value !== undefined && value !== null) writeField(writer, field, value);
  }
  return writer;
}

function writeField(writer: BinaryWriter, field: DescField, value: unknown): void {
  const { number } = field;
  if (field.fieldKind === "map") {
    for (const [key, item] of Object.entries(value as Json)) {
      writer.tag(number, WireType.LengthDelimited).fork();
      writeScalar(writer.tag(1, wireTypeOf(field.mapKey)), field.mapKey, key);
      writeOne(writer, 2, field, item);
      writer.join();
    }
  } else if (field.fieldKind !== "list") {
    if (field.presence !== IMPLICIT || !isZero(value)) writeOne(writer, number, field, value);
  } else if (!field.packed) {
    for (const item of value as unknown[]) writeOne(writer, number, field, item);
  } else if ((value as unknown[]).length > 0) {
    writer.tag(number, WireType.LengthDelimited).fork();
    for (const item of value as unknown[]) writeValue(writer, field, item);
    writer.join();
  }
}

/** FieldPresence.IMPLICIT: an absent field has its zero value. */
const IMPLICIT = 2;
const isZero = (value: unknown) => value === "" || value === 0 || value === false || value === "0";

/** A field with its number. */
function writeOne(writer: BinaryWriter, number: number, field: DescField, value: unknown): void {
  if (field.message) {
    const { message } = field;
    writer.tag(number, WireType.LengthDelimited);
    if (isWellKnown(message)) writeWellKnown(writer, message, value);
    else writeMessage(writer.fork(), message, value as object).join();
  } else if (field.enum) {
    if (numberOf(field.enum, value) !== undefined) writeValue(writer.tag(number, WireType.Varint), field, value);
  } else if (field.scalar !== undefined) {
    writeScalar(writer.tag(number, wireTypeOf(field.scalar)), field.scalar, value);
  }
}

/** A number, boolean, text or enum without its number. */
function writeValue(writer: BinaryWriter, field: DescField, value: unknown): void {
  if (field.enum) writer.int32(numberOf(field.enum, value) ?? 0);
  else if (field.scalar !== undefined) writeScalar(writer, field.scalar, value);
}

const WHOLE_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function writeWellKnown(writer: BinaryWriter, type: DescMessage, value: unknown): void {
  if (type.typeName === "google.protobuf.Timestamp" && WHOLE_SECONDS.test(value as string)) {
    const time = Date.parse(value as string);
    const seconds = Math.floor(time / 1000);
    writer.fork().tag(1, WireType.Varint).int64(seconds);
    writer
      .tag(2, WireType.Varint)
      .int32((time - seconds * 1000) * 1_000_000)
      .join();
  } else {
    writer.bytes(toBinary(type, fromJson(type, value as JsonValue, { ignoreUnknownFields: true })));
  }
}

const numbers = new WeakMap<DescEnum, Map<string, number>>();

/** Undefined for a name that the enum does not have. */
function numberOf(type: DescEnum, value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const known = numbers.get(type) ?? new Map(type.values.map(({ name, number }) => [name, number]));
  numbers.set(type, known);
  return known.get(value as string);
}

function wireTypeOf(scalar: ScalarType): WireType {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}

/** Numbers of 64 bits are texts in JSON, as are all keys of maps. */
function writeScalar(writer: BinaryWriter, scalar: ScalarType, value: unknown): void {
  switch (scalar) {
    case ScalarType.STRING:
      return void writer.string(String(value));
    case ScalarType.BOOL:
      return void writer.bool(value === true || value === "true");
    case ScalarType.BYTES:
      return void writer.bytes(Buffer.from(value as string, "base64"));
    case ScalarType.INT64:
      return void writer.int64(value as string);
    case ScalarType.UINT64:
      return void writer.uint64(value as string);
    case ScalarType.SINT64:
      return void writer.sint64(value as string);
    case ScalarType.FIXED64:
      return void writer.fixed64(value as string);
    case ScalarType.SFIXED64:
      return void writer.sfixed64(value as string);
    case ScalarType.DOUBLE:
      return void writer.double(Number(value));
    case ScalarType.FLOAT:
      return void writer.float(Number(value));
    case ScalarType.UINT32:
      return void writer.uint32(Number(value));
    case ScalarType.SINT32:
      return void writer.sint32(Number(value));
    case ScalarType.FIXED32:
      return void writer.fixed32(Number(value));
    case ScalarType.SFIXED32:
      return void writer.sfixed32(Number(value));
    default:
      return void writer.int32(Number(value));
  }
}
