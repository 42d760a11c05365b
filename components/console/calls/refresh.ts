"use client";
// Updates a page after a change, without a full reload.
import { createContext, useContext } from "react";

export interface Reading {
  /** Reads the page again. */
  refresh(): void;
  /**
   * Waits for a running refresh.
   * @returns whether the page shows the new state; false on timeout
   */
  hasRead(): Promise<boolean>;
}

/** Provided by the app; without a provider, the page is reloaded. */
export const PageReading = createContext<Reading>({
  refresh: () => location.reload(),
  hasRead: () => Promise.resolve(true),
});

export const useRefresh = (): (() => void) => useContext(PageReading).refresh;

/**
 * Returns the function that waits for a refresh, for components that start with values of the page, such as a form in a
 * dialog: the values are outdated while the page is refreshed.
 */
export const useHasRead = (): (() => Promise<boolean>) => useContext(PageReading).hasRead;
