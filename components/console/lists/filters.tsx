// The filters of a list, each a chip with its name and value.
import { useTranslations } from "next-intl";

interface FilterSelectProps {
  name: string;
  label: string;
  /** The current value; undefined or empty: it does not filter. */
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  /** Whether the filter is only shown on request, unless it is set. */
  isMore?: boolean;
}

/** A filter with a few values. */
export function FilterSelect({ name, label, value = "", options, isMore }: FilterSelectProps) {
  const t = useTranslations();
  return (
    <div className={isMore ? "chip more" : "chip"} data-active={value === "" ? undefined : ""}>
      <label htmlFor={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name} defaultValue={value}>
        <option value="">{t("directory.any")}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Returns how many of these filters are set. */
export const countActive = (...values: readonly (string | undefined)[]): number => values.filter(Boolean).length;
