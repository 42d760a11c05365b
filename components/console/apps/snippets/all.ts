// The stacks that the console has a snippet for, in the order of display.
import { expressApi, expressJwt, fastApi, fastApiJwt, goApi, goJwt } from "./apis";
import { keycloakJs, oktaAuthJs, react, singlePage } from "./browser";
import { aspNetApi, aspNetJwt, dovecot, passportZitadel, springApi, springIssuer, springJwt } from "./framework-apis";
import { curlApi, curlMachine, desktop, flutter, goMachine, nodeDevice, oidcAgent } from "./native";
import { express, nextAuthjs, nodeMachine, passport } from "./node";
import { aspNet, django, go, spring } from "./servers";
import type { AppKind, Snippet, TokenCheck } from "./snippet";

export const snippets: readonly Snippet[] = [
  nextAuthjs,
  express,
  passport,
  spring,
  aspNet,
  django,
  go,
  singlePage,
  react,
  keycloakJs,
  oktaAuthJs,
  flutter,
  desktop,
  nodeDevice,
  oidcAgent,
  nodeMachine,
  curlMachine,
  goMachine,
  expressApi,
  springApi,
  goApi,
  fastApi,
  aspNetApi,
  passportZitadel,
  dovecot,
  curlApi,
  expressJwt,
  springJwt,
  springIssuer,
  goJwt,
  fastApiJwt,
  aspNetJwt,
];

/**
 * Returns the snippets of a kind.
 * @param way how an API checks tokens; undefined for all other kinds
 */
export const snippetsFor = (kind: AppKind, way?: TokenCheck): readonly Snippet[] =>
  snippets.filter((snippet) => snippet.kinds.includes(kind) && snippet.way === way);
