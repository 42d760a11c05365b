/**
 * Answers calls of procedures with one message each way. What is no message of the procedure is rejected like other
 * invalid requests: after authentication and authorization, with our detail (rule GRPC-1).
 */
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { PresentedCredentials } from "../../access/caller";
import { Abandoned } from "../../concurrency/queue";
import type { Context } from "../../context";
import { refuseWhileUnavailable } from "../../directory/unavailable";
import { readersLanguage } from "../../http/api-errors";
import { type ApiError, internal, isApiError } from "../../protocol/api-error";
import type { ClientCertificate } from "../../protocol/client-certificate";
import { connectError } from "./errors";
import type { JsonMessage } from "./json-message";
import {
  type EncodedAnswer,
  encodeError,
  encodeMessage,
  type Format,
  type Metadata,
  malformed,
  messageTooLarge,
  readMessage,
  timeLeft,
} from "./wire";

/** A call as its protocol and transport do not matter. */
export interface ProcedureCall {
  path: string;
  metadata: Metadata;
  requestId: string;
  /** The client's certificate. */
  certificate: ClientCertificate | undefined;
  /** The client's IP address, if known. */
  address: string | undefined;
  /** Aborts when the client disconnects or its deadline passes. */
  signal: AbortSignal;
  /** Headers of the answer. */
  headers: Record<string, string>;
  /** What a request of REST presented, whose refusals are those of REST. */
  rest?: PresentedCredentials;
}

export type RefusedCall = ApiError | ConnectError;

export interface UnaryProcedure {
  input: DescMessage;
  output: DescMessage;
  /** Why the caller may not call it, whatever the message says; undefined if they may. */
  refusal?(call: ProcedureCall): Promise<RefusedCall | undefined>;
  perform(message: Message, call: ProcedureCall): Promise<Message | JsonMessage | RefusedCall>;
}

/** By path: `/package.Service/Method`. A procedure that is only refused is its refusal. */
export type ProcedureTable = ReadonlyMap<string, UnaryProcedure | RefusedCall>;

export const callersTongue = ({ metadata }: Pick<ProcedureCall, "metadata">): string =>
  readersLanguage(metadata("accept-language"));

/** @param body undefined if it is too large */
export async function answerCall(
  ctx: Context,
  procedure: UnaryProcedure | RefusedCall,
  format: Format,
  call: ProcedureCall,
  body: Uint8Array | undefined,
): Promise<EncodedAnswer> {
  const encoded = await encodedAnswer(ctx, procedure, format, call, body);
  return { ...encoded, headers: { "x-request-id": call.requestId, ...call.headers, ...encoded.headers } };
}

async function encodedAnswer(
  ctx: Context,
  procedure: UnaryProcedure | RefusedCall,
  format: Format,
  call: ProcedureCall,
  body: Uint8Array | undefined,
): Promise<EncodedAnswer> {
  const { requestId } = call;
  try {
    if (isRefusal(procedure)) return refused(format, procedure, call);
    const answer = await refuseWhileUnavailable(ctx, { requestId }, () => outcomeOf(procedure, format, call, body));
    return isRefusal(answer) ? refused(format, answer, call) : encodeMessage(format, procedure.output, answer);
  } catch (error) {
    if (error instanceof Abandoned) return refused(format, ended(call.signal), call);
    // Logged in full, answered without details.
    ctx.log.error({ err: error, requestId }, "procedure failed");
    const words = "Something went wrong on the server, and nothing was changed. Try again in a moment.";
    return refused(format, internal("service.unexpected", words), call);
  }
}

const isRefusal = (value: object): value is RefusedCall => value instanceof ConnectError || isApiError(value);

const refused = (format: Format, refusal: RefusedCall, call: ProcedureCall): EncodedAnswer =>
  encodeError(format, refusal instanceof ConnectError ? refusal : connectError(refusal, callersTongue(call)));

const late = () => new ConnectError("The deadline has passed.", Code.DeadlineExceeded);
const ended = ({ reason }: AbortSignal): ConnectError =>
  reason instanceof ConnectError ? reason : new ConnectError("The client has gone.", Code.Canceled);

async function outcomeOf(
  procedure: UnaryProcedure,
  format: Format,
  call: ProcedureCall,
  body: Uint8Array | undefined,
): Promise<Message | JsonMessage | RefusedCall> {
  const time = timeLeft(format, call.metadata);
  if (time !== undefined && !(time instanceof ConnectError) && time <= 0) return late();
  if (!body) return messageTooLarge();
  const message =
    time instanceof ConnectError
      ? malformed(time.rawMessage, format.isJson)
      : await readMessage(format, call.metadata, procedure.input, body);
  if (message instanceof ConnectError) return message;
  if (isApiError(message)) return (await procedure.refusal?.(call)) ?? message;
  if (time === undefined || typeof time !== "number" || time > MOST) return procedure.perform(message, call);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(late()), time);
  const signal = AbortSignal.any([call.signal, deadline.signal]);
  return procedure.perform(message, { ...call, signal }).finally(() => clearTimeout(timer));
}

/** Milliseconds: a timer that is set to more fires at once. */
const MOST = 2 ** 31 - 1;
