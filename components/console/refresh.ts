"use client";
// How a page shows what is now the case after something was done: by itself, without a page being loaded.
import { createContext, useContext } from "react";

/** Given by the app; outside of it the page is loaded again. */
export const Refresh = createContext<() => void>(() => location.reload());

export const useRefresh = (): (() => void) => useContext(Refresh);
