// A button. It sends its form only with `type="submit"`.
import type { ComponentProps, ReactNode } from "react";

export interface ButtonProps extends Omit<ComponentProps<"button">, "className" | "children" | "aria-disabled"> {
  label: ReactNode;
  look?: "primary" | "danger" | "plain";
  type?: "button" | "submit";
  /** Whether a click has no effect now. The button keeps the focus, unlike a disabled one. */
  isDisabled?: boolean;
}

export function Button({ label, look, type = "button", isDisabled, ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} className={look} aria-disabled={isDisabled}>
      {label}
    </button>
  );
}
