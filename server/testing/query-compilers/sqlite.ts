/** The module that Prisma's client loads as its compiler for this kind of database in tests. */
// @ts-nocheck: a part of Prisma's runtime without types
import * as real from "@prisma/client/runtime/query_compiler_fast_bg.sqlite.js";
import { sharedCompiler } from "./shared";

export * from "@prisma/client/runtime/query_compiler_fast_bg.sqlite.js";
export const QueryCompiler = sharedCompiler(real.QueryCompiler);
