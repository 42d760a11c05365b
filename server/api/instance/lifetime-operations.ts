/**
 * How long tokens and mailed codes last, changed while the service runs.
 * How codes are made is shown, and cannot be changed: a shorter one, or one of fewer characters, could be guessed.
 */
import { z } from "zod";
import { parseDuration } from "../../config/value-parsers";
import type { Context } from "../../context";
import { type CodeKind, findCodeLifetime, findLifetimes, TOKEN_LIFETIMES } from "../../directory/effective-lifetimes";
import { strict } from "../../directory/fields";
import { findInstance } from "../../directory/instance";
import {
  resetTokenLifetimes,
  SETTING_OF,
  setCodeLifetime,
  setTokenLifetimes,
} from "../../directory/setting/change-lifetimes";
import type { OriginContext } from "../../events/record";
import { findDetails } from "../../events/record";
import { type ApiError, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import { issue, reason, sentenceOf } from "../../protocol/reason";
import { answered, changedAnswer, detailsAnswer } from "../operation/answers";
import { searchBody } from "../operation/lists";
import { type Operation, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";

const tag = "Settings";

/** A duration in protocol buffers format, in whole seconds; `12h` is also accepted. */
const duration = z
  .string()
  .transform((text, issues) => {
    const value = parseDuration(text.replace(/\.0+s$/, "s"));
    if (value !== undefined) return value;
    issues.addIssue({ code: "custom", message: issue("seconds") });
    return z.NEVER;
  })
  .meta({ example: "43200s" });
const shown = (milliseconds: number) => `${milliseconds / 1_000}s`;
const lifetime = z.string().meta({ example: "43200s" });

const lifetimes = {
  accessTokenLifetime: duration.optional(),
  idTokenLifetime: duration.optional(),
  refreshTokenIdleExpiration: duration.optional(),
  refreshTokenExpiration: duration.optional(),
};
const OIDC = "/admin/v1/settings/oidc";

const setOidc = (id: string, method: "POST" | "PUT") =>
  operation(id, `${method} ${OIDC}`, {
    tag,
    summary: "Set the default token lifetimes",
    description:
      "Takes effect immediately in every process and overrides `ACCESS_TOKEN_LIFETIME` etc. of the environment, up to the " +
      "maximum of the environment. Values that are left out are kept. Existing tokens keep their lifetime.",
    scope: { level: "instance", permission: "iam.policy.write" },
    body: strict(lifetimes),
    async handle(ctx, { body }) {
      const wanted = TOKEN_LIFETIMES.flatMap((name) => {
        const value = body[SETTING_OF[name] as keyof typeof body];
        return value === undefined ? [] : [[name, value] as const];
      });
      return detailsAnswer(await setTokenLifetimes(ctx, Object.fromEntries(wanted)));
    },
  });

/** The names of the kinds, and the format of their codes. */
interface Made {
  /** Undefined: it does not expire. */
  kind?: CodeKind;
  /** Characters. */
  length: number;
  upper?: boolean;
  lower?: boolean;
}
const GENERATORS: ReadonlyMap<string, Made> = new Map(
  Object.entries<Made>({
    SECRET_GENERATOR_TYPE_INIT_CODE: { kind: "init", length: 8, upper: true },
    SECRET_GENERATOR_TYPE_VERIFY_EMAIL_CODE: { kind: "verifyEmail", length: 8, upper: true },
    SECRET_GENERATOR_TYPE_VERIFY_PHONE_CODE: { kind: "verifyPhone", length: 8, upper: true },
    SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE: { kind: "passwordReset", length: 8, upper: true },
    SECRET_GENERATOR_TYPE_APP_SECRET: { length: 43, upper: true, lower: true },
    SECRET_GENERATOR_TYPE_OTP_SMS: { kind: "otpSms", length: 8 },
    SECRET_GENERATOR_TYPE_OTP_EMAIL: { kind: "otpEmail", length: 8 },
  }),
);

const shape = {
  length: z.int(),
  includeLowerLetters: z.boolean(),
  includeUpperLetters: z.boolean(),
  includeDigits: z.boolean(),
  includeSymbols: z.boolean(),
};
const generator = z
  .object({
    generatorType: z.string().meta({ example: "SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE" }),
    details,
    ...shape,
    expiry: lifetime.optional().meta({ description: "Left out if it does not expire" }),
  })
  .meta({ id: "SecretGenerator" });

const shapeOf = ({ length, lower = false, upper = false }: Made) => ({
  length,
  includeLowerLetters: lower,
  includeUpperLetters: upper,
  includeDigits: true,
  includeSymbols: false,
});

const noGenerator = () => notFound("secret_generator.not_found", "Nothing here makes codes of this type.");

async function showGenerator(ctx: Context, type: string): Promise<z.input<typeof generator> | ApiError> {
  const made = GENERATORS.get(type);
  if (!made) return noGenerator();
  const expiry = made.kind && shown(await findCodeLifetime(ctx, made.kind));
  const { id } = await findInstance(ctx);
  return { generatorType: type, ...(await changedAnswer(ctx, "instance", id)), ...shapeOf(made), expiry };
}

async function searchGenerators(ctx: Context, wanted: readonly (string | undefined)[] = []) {
  const types = [...GENERATORS.keys()].filter((type) => wanted.every((one) => one === type));
  const shown = await Promise.all(types.map((type) => showGenerator(ctx, type)));
  const result = shown.flatMap((one) => (isApiError(one) ? [] : [one]));
  return {
    details: { totalResult: String(result.length), viewTimestamp: new Date(ctx.clock()).toISOString() },
    result,
  };
}

/** Only lifetimes can be changed. */
function fixed(field: string, value: string): ApiError {
  const why = reason("exactly", { value });
  return invalidArgument("secret_generator.fixed", sentenceOf(why), { field, reason: why });
}

function refuseOtherShape(made: Made, wanted: Readonly<Record<string, unknown>>): ApiError | undefined {
  for (const [field, value] of Object.entries(shapeOf(made))) {
    if (wanted[field] === undefined || wanted[field] === value) continue;
    return fixed(field, String(value));
  }
  return undefined;
}

/** Sets the lifetime. Secrets without one accept only `0s`. */
async function changeExpiry(ctx: OriginContext, kind: CodeKind | undefined, expiry: number | undefined) {
  if (kind !== undefined && expiry !== undefined) return setCodeLifetime(ctx, kind, expiry);
  if (expiry) return fixed("expiry", "0s");
  return (await changedAnswer(ctx, "instance", (await findInstance(ctx)).id)).details;
}

export const lifetimeOperations: readonly Operation[] = [
  operation("GetOIDCSettings", `GET ${OIDC}`, {
    tag,
    summary: "Read the default token lifetimes",
    scope: { level: "instance", permission: "iam.policy.read" },
    answer: z.object({
      settings: z
        .object({
          details: details.optional(),
          accessTokenLifetime: lifetime,
          idTokenLifetime: lifetime,
          refreshTokenIdleExpiration: lifetime,
          refreshTokenExpiration: lifetime,
        })
        .meta({ id: "OIDCSettings" }),
    }),
    async handle(ctx) {
      const [inForce, { id }] = await Promise.all([findLifetimes(ctx), findInstance(ctx)]);
      return {
        settings: {
          details: await findDetails(ctx, "instance", id),
          accessTokenLifetime: shown(inForce.accessToken),
          idTokenLifetime: shown(inForce.idToken),
          refreshTokenIdleExpiration: shown(inForce.refreshTokenIdle),
          refreshTokenExpiration: shown(inForce.refreshToken),
        },
      };
    },
  }),
  setOidc("AddOIDCSettings", "POST"),
  setOidc("UpdateOIDCSettings", "PUT"),
  operation("ResetOIDCSettings", `DELETE ${OIDC}`, {
    tag,
    summary: "Reset the token lifetimes to those of the environment",
    scope: { level: "instance", permission: "iam.policy.delete" },
    handle: async (ctx) => ({ details: await resetTokenLifetimes(ctx) }),
  }),
  operation("ListSecretGenerators", "POST /admin/v1/secretgenerators/_search", {
    tag,
    summary: "List how codes and secrets are generated, and their lifetimes",
    scope: { level: "instance", permission: "iam.policy.read" },
    body: searchBody({ typeQuery: strict({ generatorType: z.string() }) }),
    bodyIsOptional: true,
    answer: z.object({
      details: z.object({ totalResult: z.string(), viewTimestamp: timestamp }),
      result: z.array(generator),
    }),
    handle: (ctx, { body }) =>
      searchGenerators(
        ctx,
        body.queries?.map(({ typeQuery }) => typeQuery?.generatorType),
      ),
  }),
  operation("GetSecretGenerator", "GET /admin/v1/secretgenerators/:generatorType", {
    tag,
    summary: "Read how codes of a type are generated, and their lifetime",
    scope: { level: "instance", permission: "iam.policy.read" },
    answer: z.object({ secretGenerator: generator }),
    handle: (ctx, { parameters }) =>
      answered(showGenerator(ctx, parameters.generatorType ?? ""), (secretGenerator) => ({ secretGenerator })),
  }),
  operation("UpdateSecretGenerator", "PUT /admin/v1/secretgenerators/:generatorType", {
    tag,
    summary: "Set the lifetime of codes of a type",
    description:
      "Only `expiry` can be changed, within bounds. Other members may be sent only with their current values.",
    scope: { level: "instance", permission: "iam.policy.write" },
    body: z
      .object({ ...z.object(shape).partial().shape, expiry: duration.optional() })
      .meta({ description: "Left out: kept" }),
    async handle(ctx, { parameters, body: { expiry, ...asMade } }) {
      const made = GENERATORS.get(parameters.generatorType ?? "");
      if (!made) return noGenerator();
      const refusal = refuseOtherShape(made, asMade);
      if (refusal) return refusal;
      return detailsAnswer(await changeExpiry(ctx, made.kind, expiry));
    },
  }),
];
