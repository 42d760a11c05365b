"use client";
// Updates a page after something was changed, without loading it again.
import { createContext, useContext } from "react";

export interface Reading {
  /** Reads the page anew. */
  refresh(): void;
  /**
   * Waits for what is read anew at this moment.
   * @returns whether the page shows it; false if it did not come in time
   */
  hasRead(): Promise<boolean>;
}

/** Provided by the app; elsewhere the page is reloaded. */
export const PageReading = createContext<Reading>({
  refresh: () => location.reload(),
  hasRead: () => Promise.resolve(true),
});

export const useRefresh = (): (() => void) => useContext(PageReading).refresh;

/** For what begins with values of the page, such as a form in a dialog: they are those of before for as long as it reads. */
export const useHasRead = (): (() => Promise<boolean>) => useContext(PageReading).hasRead;
