// Reads the columns of a list that the visitor has shown or hidden.
import { headers } from "next/headers";
import { type ListName, toggledIn } from "../../components/console/lists/columns";

export async function toggledColumns(list: ListName): Promise<readonly string[]> {
  return toggledIn((await headers()).get("cookie") ?? "", list);
}
