/**
 * The message-text operations as OpenAPI 3.1, made from the table of operations and the schemas that parse requests.
 */
import { z } from "zod";
import { MESSAGE_TYPES, type MessageType } from "../../texts/kinds";
import { messageTextBody } from "../../texts/parse-fields";
import type { Level } from "../../texts/text-owner";
import { opensAccount } from "../../texts/variables";
import type { Description } from "../openapi";
import { BASE_PATHS, type OperationKind, type TextOperation, textOperations } from "./operations";
import * as schemas from "./schemas";

const MEDIA_TYPES = ["application/json", "application/grpc", "application/grpc-web+proto"] as const;
const TAGS: Readonly<Record<Level, string>> = { instance: "AdminService", organization: "ManagementService" };
const OWNERS: Readonly<Record<Level, string>> = { instance: "the instance", organization: "the organization" };

const SUMMARIES: Readonly<Record<OperationKind, (what: string, owner: string) => string>> = {
  readDefault: (what, owner) => `Read the ${what} text that applies where ${owner} says nothing`,
  read: (what, owner) => `Read the ${what} text of ${owner}`,
  set: (what, owner) => `Set the ${what} text of ${owner}; what is left out falls back`,
  reset: (what, owner) => `Reset the ${what} text of ${owner} to the default`,
};
const ANSWERS: Readonly<Record<OperationKind, string>> = {
  readDefault: "MessageText",
  read: "MessageText",
  set: "SetMessageText",
  reset: "ResetMessageText",
};

export function describeTexts(): Description {
  const paths: Description["paths"] = {};
  const add = (path: string, method: string, operation: object) => {
    const address = path.replace(":language", "{language}");
    paths[address] = { ...paths[address], [method.toLowerCase()]: operation };
  };
  for (const operation of textOperations) {
    operation.paths.forEach((path, index) => {
      add(path, operation.method, textOperation(operation, index > 0));
    });
  }
  const { instance } = BASE_PATHS;
  const allowed = plainOperation("instance", "Languages", "List the languages people may choose");
  add(`${instance}/languages/allowed`, "GET", allowed);
  const byDefault = plainOperation("instance", "DefaultLanguage", "Read the language of whoever prefers none");
  add(`${instance}/languages/default`, "GET", byDefault);
  for (const level of ["instance", "organization"] as const) {
    add(`${BASE_PATHS[level]}/languages`, "GET", plainOperation(level, "Languages", "List the languages of texts"));
    const texts = `${BASE_PATHS[level]}/text`;
    const overview = `List every message, its fields, and where ${OWNERS[level]} customized it`;
    add(`${texts}/messages`, "GET", plainOperation(level, "TextsOverview", overview));
    const all = `Export all texts of ${OWNERS[level]} as the bootstrap file has them`;
    add(`${texts}/messages/_export`, "GET", plainOperation(level, "ExportedTexts", all));
    add(`${texts}/trials/{id}`, "GET", {
      ...plainOperation(level, "TrialState", "Read what became of a trial that you sent"),
      parameters: [trialId, ...owner(level)],
    });
    for (const type of MESSAGE_TYPES) addEditing(add, level, type);
  }
  return { paths, schemas: componentSchemas() };
}

const POWER =
  "The message opens accounts: for those whose permissions cover everybody who gets it. Its text names no addresses but the service's own and those under domains that the organization has proven, and no variable is part of one.";

function textOperation({ kind, level, type, rpc }: TextOperation, isMisspelt: boolean): object {
  return {
    operationId: `${TAGS[level]}_${rpc}${isMisspelt ? "_2" : ""}`,
    tags: [TAGS[level]],
    summary: SUMMARIES[kind](type, OWNERS[level]),
    ...((kind === "set" || kind === "reset") && opensAccount(type) && { description: POWER }),
    ...(isMisspelt && { deprecated: true }),
    parameters: [language, ...owner(level), ...(kind === "set" || kind === "reset" ? [ifMatch] : [])],
    ...(kind === "set" && { requestBody: jsonBody(`MessageTextFields_${type}`, true) }),
    responses: responses(ANSWERS[kind], MEDIA_TYPES, kind === "set" || kind === "reset"),
  };
}

function addEditing(add: (path: string, method: string, operation: object) => void, level: Level, type: MessageType) {
  const base = `${BASE_PATHS[level]}/text/message/${type}`;
  const tried = { requestBody: jsonBody("Trial", false) };
  add(
    `${BASE_PATHS[level]}/text/variables/${type}`,
    "GET",
    plainOperation(level, "Variables", `List the variables of ${type} texts`),
  );
  add(`${base}/:language/_explain`, "GET", {
    ...plainOperation(level, "Explanation", `Explain where every field of the ${type} text comes from`),
    parameters: [language, ...owner(level)],
  });
  add(`${base}/:language/_preview`, "POST", {
    ...plainOperation(level, "Preview", `Show the ${type} message as it would be sent`),
    ...tried,
    parameters: [language, ...owner(level)],
  });
  add(`${base}/:language/_test_send`, "POST", {
    ...plainOperation(level, "TestSend", `Send the ${type} message to your own verified address`),
    ...tried,
    parameters: [language, ...owner(level)],
  });
}

function plainOperation(level: Level, answer: string, summary: string): object {
  const parameters = answer === "Languages" || answer === "DefaultLanguage" ? [] : owner(level);
  return { tags: [TAGS[level]], summary, parameters, responses: responses(answer, ["application/json"], false) };
}

const language = {
  name: "language",
  in: "path",
  required: true,
  description: "BCP 47 tag of a supported language, in upper or lower case.",
  schema: { type: "string" },
  example: "en",
};
const trialId = { name: "id", in: "path", required: true, schema: { type: "string" } };
const ifMatch = {
  name: "If-Match",
  in: "header",
  description: "The sequence that the text must still have, or * if there must be a text; else 412.",
  schema: { type: "string" },
};

function owner(level: Level): object[] {
  if (level === "instance") return [];
  const description = "Another organization than the caller's; the permission is needed there.";
  return [{ name: "x-service-orgid", in: "header", description, schema: { type: "string" } }];
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function jsonBody(schema: string, required: boolean): object {
  return { required, content: { "application/json": { schema: ref(schema) } } };
}

function responses(answer: string, media: readonly string[], isConditional: boolean): object {
  const content = (name: string) => Object.fromEntries(media.map((type) => [type, { schema: ref(name) }]));
  const error = (description: string) => ({ description, content: content("Error") });
  return {
    "200": { description: "Done.", content: content(answer) },
    "400": error("The request is wrong; the detail names the field."),
    "401": error("No token, or one that is not meant for this service."),
    "403": error("The caller may not do this here, or there is no such organization."),
    "404": error("There is no such thing."),
    ...(isConditional && { "412": error("The text has changed meanwhile.") }),
    default: error("An unexpected error."),
  };
}

function componentSchemas(): Record<string, object> {
  const named: Record<string, z.ZodType> = {
    MessageText: schemas.readAnswerSchema,
    SetMessageText: schemas.setAnswerSchema,
    ResetMessageText: schemas.resetAnswerSchema,
    Explanation: schemas.explanationSchema,
    Preview: schemas.previewSchema,
    Trial: schemas.trialBodySchema,
    TestSend: schemas.trialSchema,
    TextsOverview: schemas.textsOverviewSchema,
    ExportedTexts: schemas.exportSchema,
    TrialState: schemas.trialStateSchema,
    Variables: schemas.variablesSchema,
    Languages: schemas.languagesSchema,
    DefaultLanguage: schemas.defaultLanguageSchema,
    Error: schemas.errorSchema,
  };
  for (const type of MESSAGE_TYPES) named[`MessageTextFields_${type}`] = messageTextBody(type);
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => {
      const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input" });
      return [name, json];
    }),
  );
}
