// Android reads the scheme com.example.demo from manifestPlaceholders in android/app/build.gradle, and iOS from
// CFBundleURLTypes in Info.plist: https://nearform.com/open-source/react-native-app-auth/docs
import { useState } from "react";
import { Button, SafeAreaView, Text } from "react-native";
import { authorize } from "react-native-app-auth";

const config = {
  issuer: "http://localhost:8080",
  clientId: "demo-client",
  redirectUrl: "com.example.demo:/callback",
  scopes: ["openid", "profile", "email", "offline_access"],
  dangerouslyAllowInsecureHttpRequests: true, // http: on this machine only
};

export default function App() {
  const [tokens, setTokens] = useState(null);
  const [problem, setProblem] = useState("");
  const signIn = () => authorize(config).then(setTokens, ({ message }) => setProblem(message));
  return (
    <SafeAreaView>
      {problem !== "" && <Text accessibilityRole="alert">{problem}</Text>}
      {tokens ? <Text>Signed in</Text> : <Button title="Sign in" onPress={signIn} />}
    </SafeAreaView>
  );
}
