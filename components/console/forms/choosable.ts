// An option of a field that searches.

export interface Choosable {
  value: string;
  label: string;
  /** Distinguishes the option from others with the same label. */
  detail?: string;
}

/** Whether the typed text is not a choice yet. */
export const isOpenText = (typed: string | undefined, chosen: Choosable | null): boolean =>
  chosen === null && Boolean(typed?.trim());
