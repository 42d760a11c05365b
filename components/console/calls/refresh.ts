"use client";
// Reads a page again after a change, and goes to other pages, without loading the document again.
import { createContext, useContext } from "react";

export interface Reading {
  /** Reads the page again. */
  refresh(): void;
  /**
   * Waits for a running refresh.
   * @returns whether the page shows the new state; false on timeout
   */
  hasRead(): Promise<boolean>;
  /** Goes to a page of the console. Unsaved input is asked about first. */
  goTo(address: string): void;
}

/** Provided by the app; without a provider, the document is loaded again. */
export const PageReading = createContext<Reading>({
  refresh: () => location.reload(),
  hasRead: () => Promise.resolve(true),
  goTo: (address) => location.assign(address),
});

/** Returns the function that goes to a page of the console. */
export const useGoTo = (): ((address: string) => void) => useContext(PageReading).goTo;

export const useRefresh = (): (() => void) => useContext(PageReading).refresh;

/**
 * Returns the function that waits for a refresh, for components that start with values of the page, such as a form in a
 * dialog: the values are outdated while the page is refreshed.
 */
export const useHasRead = (): (() => Promise<boolean>) => useContext(PageReading).hasRead;
