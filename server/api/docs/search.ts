/** The search over operations and endpoints: that of the documents, with an operation as a section. */
import type { Area, ShownEndpoint } from "../../../components/docs/model";
import { type DocumentSearch, documentSearch } from "../../web/documents/search";

export function operationSearch(areas: readonly Area[], endpoints: readonly ShownEndpoint[]): DocumentSearch {
  return documentSearch([
    {
      title: "OAuth and OpenID Connect",
      address: "/docs/api/oauth",
      group: "Get started",
      html: "",
      about: "",
      sections: endpoints.map(({ id, name, methods, path, about, parameters }) => ({
        anchor: id,
        heading: name,
        text: [`${methods} ${path}`, ...about, ...parameters.map((one) => one.name)].join(" "),
      })),
    },
    ...areas.map(({ name, anchor, operations }) => ({
      title: name,
      address: `/docs/api/${anchor}`,
      group: "Get started" as const,
      html: "",
      about: "",
      sections: operations.map(({ id, anchors, method, path, summary, description, parameters, body }) => ({
        anchor: id,
        heading: summary,
        text: [
          `${method} ${path}`,
          ...description,
          id,
          inWords(id),
          ...anchors,
          ...parameters.map((one) => one.name),
          ...body.map((one) => one.name),
        ].join(" "),
      })),
    })),
  ]);
}

/** `AddUserGrant` as `Add User Grant`. */
const inWords = (id: string): string => id.replace(/([a-z])(?=[A-Z])/g, "$1 ").replaceAll("_", " ");
