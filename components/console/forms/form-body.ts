// Converts the controls of a form to JSON. Names state where a value belongs: `profile.firstName` nests, `roles[]`
// collects.

export interface Control {
  name: string;
  type: string;
  value: string;
  checked: boolean;
  /** The conversion of the text; see `textValue`. */
  as: string | undefined;
  /** Whether the control is sent even if it is empty. */
  keepsEmpty: boolean;
  /** The text that is sent, if the control holds only a part of it: the number of a duration. */
  said?: string;
}

type Body = { [name: string]: unknown };

/** Returns the body. Empty fields are omitted, so that the operation's defaults apply. */
export function formBody(controls: Iterable<Control>): Body {
  const body: Body = {};
  for (const control of controls) {
    const { name, type, checked, value } = control;
    if (name === "" || (type === "radio" && !checked)) continue;
    if (name.endsWith("[]")) collect(body, name.slice(0, -2), type === "checkbox" && !checked ? undefined : value);
    else put(body, name, type === "checkbox" ? checked : textValue(control));
  }
  return body;
}

function textValue({ type, value, as, keepsEmpty, said }: Control): unknown {
  if (said !== undefined) return said === "" ? undefined : said;
  if (as === "lines")
    return value
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  if (value === "") return as === "nullable" ? null : keepsEmpty ? "" : undefined;
  if (as === "words") return value.trim().split(/\s+/);
  if (type === "number") return numberValue(Number(value), as);
  // A day starts in the reader's time zone, in which it is displayed later; without a time, it would be parsed as UTC.
  if (type === "date") return new Date(`${value}T00:00`).toISOString();
  if (type === "datetime-local") return new Date(value).toISOString();
  return as === "boolean" ? value === "true" : value;
}

/** Formats durations as in the JSON of Protocol Buffers, for example `3600s`. */
function numberValue(value: number, as: string | undefined): number | string {
  return as === "seconds" ? `${value}s` : value;
}

function put(body: Body, name: string, value: unknown): void {
  if (value === undefined) return;
  const steps = name.split(".");
  const last = steps.pop() ?? name;
  let place = body;
  for (const step of steps) {
    place[step] ??= {};
    place = place[step] as Body;
  }
  place[last] = value;
}

/** Collects a list, which is sent even if it is empty, because choosing nothing is a choice too. */
function collect(body: Body, name: string, value: string | undefined): void {
  const list = (body[name] ?? []) as string[];
  body[name] = value === undefined ? list : [...list, value];
}

/** Returns the current or the initial value of a control. */
export function heldBy(control: FormControl, isFirst: boolean): { value: string; checked: boolean } {
  if (control instanceof HTMLSelectElement) {
    const first = [...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0];
    return { value: isFirst ? (first?.value ?? "") : control.value, checked: false };
  }
  const value = isFirst ? control.defaultValue : control.value;
  if (!(control instanceof HTMLInputElement)) return { value, checked: false };
  const isBox = control.type === "checkbox" || control.type === "radio";
  return { value: isBox ? control.value : value, checked: isFirst ? control.defaultChecked : control.checked };
}

export type FormControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Returns the controls of a form.
 * @param isFirst whether to return the initial values
 */
export function controlsOf(form: HTMLFormElement, isFirst = false): Control[] {
  return [...form.elements]
    .filter(
      (element) =>
        element instanceof HTMLInputElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement,
    )
    .filter(({ disabled }) => !disabled)
    .map((element) => ({
      name: element.name,
      type: element.type,
      ...heldBy(element, isFirst),
      as: element.dataset.as,
      keepsEmpty: element.dataset.keepsEmpty !== undefined,
      said: element.dataset.said,
    }));
}
