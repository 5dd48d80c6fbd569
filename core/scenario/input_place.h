// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/inputs.h"

#include <type_traits>
#include <utility>

// How the rows of the table of inputs reach the values in a scenario.
namespace core::input_places {

/// The value as it stands in messages and files: a word for one of several.
template <typename T> Value valueOf(const T& value)
{
    if constexpr (std::is_same_v<T, KvFormat> || std::is_same_v<T, WeightFormat>)
        return std::string(info(value).id);
    else if constexpr (std::is_enum_v<T>)
        return std::string(id(value));
    else
        return value;
}

/// What the text names; the second argument only chooses the type.
inline std::optional<KvFormat> wordIn(const std::string& text, KvFormat /*type*/)
{
    return kvFormat(text);
}
inline std::optional<WeightFormat> wordIn(const std::string& text, WeightFormat /*type*/)
{
    return weightFormat(text);
}
inline std::optional<EngineId> wordIn(const std::string& text, EngineId /*type*/)
{
    return engineId(text);
}
inline std::optional<MemoryBasis> wordIn(const std::string& text, MemoryBasis /*type*/)
{
    return memoryBasis(text);
}

/// Returns false, and changes nothing, where the value is no word of the type.
template <typename T> bool assign(T& place, const Value& value)
{
    if constexpr (std::is_enum_v<T>) {
        const std::optional<T> word = wordIn(std::get<std::string>(value), place);
        place = word.value_or(place);
        return word.has_value();
    } else {
        place = std::get<T>(value);
        return true;
    }
}

/// The type of a value that may be absent.
template <typename T> struct Inner {
    using Type = T;
};
template <typename T> struct Inner<std::optional<T>> {
    using Type = T;
};

template <typename T> constexpr InputType typeOf()
{
    if (std::is_enum_v<T>)
        return InputType::Word;
    if (std::is_same_v<T, Bytes>)
        return InputType::Size;
    if (std::is_same_v<T, Percent>)
        return InputType::Share;
    return std::is_same_v<T, std::string> ? InputType::Text : InputType::Count;
}

/// The member of `object` at the end of a path of members.
template <auto first, auto... rest> auto& memberOf(auto& object)
{
    if constexpr (sizeof...(rest) == 0)
        return object.*first;
    else
        return memberOf<rest...>(object.*first);
}

template <auto... path> std::optional<Value> get(const Scenario& scenario)
{
    const auto& place = memberOf<path...>(scenario);
    using T = std::decay_t<decltype(place)>;
    if constexpr (!std::is_same_v<T, typename Inner<T>::Type>)
        return place ? std::optional(valueOf(*place)) : std::nullopt;
    else if constexpr (std::is_same_v<T, std::string>)
        return place.empty() ? std::nullopt : std::optional<Value>(place);
    else
        return valueOf(place);
}

template <auto... path> bool set(Scenario& scenario, const std::optional<Value>& value)
{
    auto& place = memberOf<path...>(scenario);
    using T = std::decay_t<decltype(place)>;
    constexpr bool isOptional = !std::is_same_v<T, typename Inner<T>::Type>;
    if constexpr (isOptional || std::is_same_v<T, std::string>) {
        if (!value) {
            place = {};
            return true;
        }
    }
    if (!value)
        return false;
    if constexpr (isOptional)
        return assign(place.emplace(), *value);
    else
        return assign(place, *value);
}

/// The place of a value: the path of members that leads to it from the scenario.
template <auto... path> constexpr InputPlace at()
{
    using T = std::decay_t<decltype(memberOf<path...>(std::declval<Scenario&>()))>;
    using Type = typename Inner<T>::Type;
    return {typeOf<Type>(), !std::is_same_v<T, Type> || std::is_same_v<T, std::string>, get<path...>, set<path...>};
}

} // namespace core::input_places
