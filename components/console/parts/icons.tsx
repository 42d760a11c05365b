// The icons of the console: strokes of one width on a grid of 20, in the text colour. Each has visible or visually
// hidden text next to it, so screen readers skip the icon.
const PATHS = {
  overview: "M3 9.5 10 3.5l7 6M5 8.5v8h10v-8",
  organization: "M4 17V4h7v13M11 8h5v9M2.5 17h15M6.5 7h2M6.5 10h2M6.5 13h2",
  apps: "M3.5 3.5h5.5v5.5H3.5zM11 3.5h5.5v5.5H11zM3.5 11h5.5v5.5H3.5zM11 11h5.5v5.5H11z",
  people:
    "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c0-3 2.4-5 5.5-5s5.5 2 5.5 5M13 3.7a3 3 0 0 1 0 5.6M14.5 11.8c2.1.6 3.5 2.3 3.5 4.7",
  messages: "M2.5 4.5h15v11h-15zM3 5l7 6 7-6",
  rules: "M10 2.5l6.5 2.3v4.7c0 4-2.7 6.7-6.5 8-3.8-1.3-6.5-4-6.5-8V4.8zM7.2 9.8l2 2 3.6-3.8",
  activity: "M2 10.5h3.5L8 4l4 12 2.5-5.5H18",
  service: "M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  search: "M8.5 14a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM12.5 12.5 17 17",
  account: "M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 17c.5-3.2 3.2-5 6.5-5s6 1.8 6.5 5",
  filter: "M3 5h14M5.5 10h9M8.5 15h3",
  columns: "M3.5 4h13v12h-13zM8 4v12M12.5 4v12",
  copy: "M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4",
  check: "M4 10.5l4 4 8-9",
  signOut: "M8 3.5H4v13h4M8 10h9M13.5 6.5 17 10l-3.5 3.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="line-icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
