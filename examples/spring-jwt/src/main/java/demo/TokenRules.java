// Needs org.springframework.boot:spring-boot-starter-oauth2-resource-server,
// which Spring Boot 4 calls spring-boot-starter-security-oauth2-resource-server.
package demo;

import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

@Configuration
class TokenRules {
    @Bean
    JwtDecoder jwtDecoder() {
        // Type at+jwt (RFC 9068), which Spring does not take by itself: the validator checks it instead.
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withIssuerLocation("http://localhost:8080").validateType(false).build();
        decoder.setJwtValidator(JwtValidators.createAtJwtValidator()
            .issuer("http://localhost:8080")
            .audience("demo-project")
            .validators(rules -> rules.put("client_id", new JwtClaimValidator<String>("client_id", Objects::nonNull)))
            .build());
        return decoder;
    }
}
