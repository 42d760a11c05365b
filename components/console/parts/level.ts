/** The level of the settings, texts or events that a page shows. */
export type Level = "instance" | "organization";
