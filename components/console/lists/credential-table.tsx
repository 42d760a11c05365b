// A table of keys and tokens with their names, creation and expiry dates, and buttons to remove them.
import type { ReactNode } from "react";
import { type Column, Table } from "./table";

interface Credential {
  id: string;
  /** Only keys have one. */
  algorithm?: string;
  creationDate: string;
  /** Undefined if the credential does not expire. */
  expirationDate?: string;
}

export interface CredentialTableProps<Row extends Credential> {
  caption: string;
  rows: readonly Row[];
  empty: string;
  labels: { id: string; algorithm?: string; created: string; expires: string; never: string };
  /** The button that removes a credential; nothing if the visitor may not remove it. */
  removal: (id: string) => ReactNode;
}

export function CredentialTable<Row extends Credential>({
  caption,
  rows,
  empty,
  labels,
  removal,
}: CredentialTableProps<Row>) {
  const algorithm: Column<Row>[] =
    labels.algorithm === undefined ? [] : [{ id: "algorithm", label: labels.algorithm, cell: (row) => row.algorithm }];
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={({ id }) => id}
      empty={<p>{empty}</p>}
      columns={[
        { id: "id", label: labels.id, cell: ({ id }) => <code>{id}</code> },
        ...algorithm,
        { id: "created", label: labels.created, moment: ({ creationDate }) => creationDate },
        {
          id: "expires",
          label: labels.expires,
          moment: ({ expirationDate }) => expirationDate,
          cell: () => labels.never,
        },
      ]}
      actions={({ id }) => removal(id)}
    />
  );
}
