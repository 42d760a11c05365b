/** Where the operator's tool writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}
