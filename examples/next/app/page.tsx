import { auth, signIn, signOut } from "@/auth";

async function enter() {
  "use server";
  await signIn("identity");
}

async function leave() {
  "use server";
  await signOut();
}

export default async function Home() {
  const session = await auth();
  return (
    <form action={session ? leave : enter}>
      {session && <p>Signed in as {session.user?.name}</p>}
      <button>{session ? "Sign out" : "Sign in"}</button>
    </form>
  );
}
