"use client";
// Radio buttons that look like one control, for a few options.
import { useId } from "react";

export interface SegmentsProps<Value extends string> {
  name: string;
  label: string;
  value: Value;
  options: Readonly<Record<NoInfer<Value>, string>>;
  onChoose(value: NoInfer<Value>): void;
}

export function Segments<Value extends string>({ name, label, value, options, onChoose }: SegmentsProps<Value>) {
  const id = useId();
  return (
    <fieldset className="segments">
      <legend className="hidden">{label}</legend>
      {Object.entries<string>(options).map(([option, text]) => (
        <label key={option}>
          <input
            type="radio"
            name={`${name}-${id}`}
            value={option}
            checked={option === value}
            onChange={() => onChoose(option as Value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
