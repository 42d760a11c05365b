// The stacks the console has a snippet for, in the order they are shown.
import { expressApi, expressJwt, fastApi, fastApiJwt, goApi, goJwt } from "./apis";
import { react, singlePage } from "./browser";
import { aspNetApi, aspNetJwt, springApi, springJwt } from "./framework-apis";
import { curlApi, curlMachine, desktop, flutter } from "./native";
import { express, nextAuthjs, nodeMachine } from "./node";
import { aspNet, django, go, spring } from "./servers";
import type { AppKind, Snippet, TokenCheck } from "./snippet";

export const snippets: readonly Snippet[] = [
  nextAuthjs,
  express,
  spring,
  aspNet,
  django,
  go,
  singlePage,
  react,
  flutter,
  desktop,
  nodeMachine,
  curlMachine,
  expressApi,
  springApi,
  goApi,
  fastApi,
  aspNetApi,
  curlApi,
  expressJwt,
  springJwt,
  goJwt,
  fastApiJwt,
  aspNetJwt,
];

/** @param way of an API; undefined for all other kinds */
export const snippetsFor = (kind: AppKind, way?: TokenCheck): readonly Snippet[] =>
  snippets.filter((snippet) => snippet.kinds.includes(kind) && snippet.way === way);
