"use client";
// Updates a page after something was changed, without loading it again.
import { createContext, useContext } from "react";

/** Provided by the app; elsewhere the page is reloaded. */
export const Refresh = createContext<() => void>(() => location.reload());

export const useRefresh = (): (() => void) => useContext(Refresh);
