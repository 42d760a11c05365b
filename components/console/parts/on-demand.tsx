// Parts of a page that only a user's act shows. Their scripts are loaded with that act, or shortly before: a page that
// loads them at once pays for windows that are rarely opened.
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";

/** How long a part that cannot be loaded waits for the connection, in milliseconds. */
const PAUSE = 2_000;

/**
 * Returns a part that is loaded when it is first wanted, and a function that loads it before; `waiting` is shown until
 * then. A part that cannot be loaded is tried again, so that a lost connection costs no input.
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const prepare = () => {
    loading ??= load().then(
      (part) => {
        Loaded = part;
      },
      () => {
        loading = undefined;
      },
    );
    return loading;
  };
  function Part({ waiting, isWanted = true, ...props }: Props & { waiting?: ReactNode; isWanted?: boolean }) {
    const [isLoaded, setLoaded] = useState(Loaded !== undefined);
    useEffect(() => {
      if (isLoaded || !isWanted) return;
      let timer: ReturnType<typeof setTimeout>;
      let isGone = false;
      const attempt = () =>
        void prepare().then(() => {
          if (isGone) return;
          if (Loaded) setLoaded(true);
          else timer = setTimeout(attempt, PAUSE);
        });
      attempt();
      return () => {
        isGone = true;
        clearTimeout(timer);
      };
    }, [isLoaded, isWanted]);
    return isLoaded && isWanted && Loaded ? <Loaded {...(props as unknown as Props)} /> : waiting;
  }
  return { Part, prepare: () => void prepare() };
}

/** Returns a dialog that is loaded when it is first opened. */
export function dialogOnDemand<Props extends { isOpen: boolean }>(load: () => Promise<ComponentType<Props>>) {
  const { Part } = onDemand(load);
  return (props: Props) => {
    const isUsed = useRef(false);
    isUsed.current ||= props.isOpen;
    return isUsed.current && <Part {...props} />;
  };
}
