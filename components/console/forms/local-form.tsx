"use client";
// A form that the page handles without a request. It names what is missing as other forms do, not in a bubble of the
// browser.
import { type FormEvent, type ReactNode, useState } from "react";
import type { Refusal } from "../../../shared/refusal";
import { Problems, RefusedForm } from "../calls/problems";
import { useValidity } from "./validity";

interface LocalFormProps {
  /** The labels of the fields by name. */
  labels: Readonly<Record<string, string>>;
  /** Called when every field is valid. */
  onSend(): void;
  children: ReactNode;
}

export function LocalForm({ labels, onSend, children }: LocalFormProps) {
  const validity = useValidity((name) => labels[name]);
  const [refusal, setRefusal] = useState<Refusal>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = validity(event.currentTarget);
    setRefusal(wrong);
    if (!wrong) onSend();
  };
  return (
    <form className="form" noValidate onSubmit={send}>
      <Problems refusal={refusal} />
      <RefusedForm value={refusal}>{children}</RefusedForm>
    </form>
  );
}
