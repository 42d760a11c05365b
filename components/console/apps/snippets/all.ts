// The stacks the console has a snippet for, in the order they are shown.
import { react, singlePage } from "./browser";
import { curlApi, curlMachine, desktop, flutter } from "./native";
import { express, nextAuthjs, nodeApi, nodeMachine } from "./node";
import { aspNet, django, go, spring } from "./servers";
import type { AppKind, Snippet } from "./snippet";

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
  nodeApi,
  curlApi,
];

export const snippetsFor = (kind: AppKind): readonly Snippet[] => snippets.filter(({ kinds }) => kinds.includes(kind));
