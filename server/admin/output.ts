/** Where the operator's tool writes its output. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}
