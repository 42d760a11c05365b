/** Whose settings, texts or events a page shows. */
export type Level = "instance" | "organization";
