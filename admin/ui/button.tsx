/** Buttons and links that look like them. */
import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import { Tooltip, TooltipTrigger } from "react-aria-components/Tooltip";
import { Link } from "wouter";
import { Icon, type IconName } from "./icons.tsx";

type Look = "primary" | "plain" | "quiet" | "danger";

export interface ButtonProps extends Omit<AriaButtonProps, "className" | "style" | "children"> {
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

export function Button({ look = "plain", icon, children, ...rest }: ButtonProps): ReactNode {
  return (
    <AriaButton {...rest} className={`button ${look}`}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}

export interface IconButtonProps extends Omit<AriaButtonProps, "className" | "style" | "children"> {
  readonly icon: IconName;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly filled?: boolean;
}

export function IconButton({ icon, label, filled = false, ...rest }: IconButtonProps): ReactNode {
  return (
    <TooltipTrigger delay={600}>
      <AriaButton {...rest} aria-label={label} className="button icon-only">
        <Icon name={icon} filled={filled} />
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}

export interface ButtonLinkProps {
  readonly to: string;
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A link to another screen. */
export function ButtonLink({ to, look = "plain", icon, children }: ButtonLinkProps): ReactNode {
  return (
    <Link href={to} className={`button ${look}`}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </Link>
  );
}
